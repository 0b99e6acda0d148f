// Finds sections by the words that are typed: every word must begin a word of the section. Works from a disk: the index
// is a script beside the pages.
(function () {
  "use strict";
  var box = document.getElementById("search");
  var found = document.getElementById("found");
  var article = document.querySelector("article");
  var up = document.body.dataset.up;
  var MOST = 30;
  var fold = function (text) { return text.toLowerCase(); };
  var sections = window.SEARCH.map(function (row) {
    return { page: row[0], heading: row[1], target: row[2], text: row[3], title: fold(row[0] + " " + row[1]), all: fold(row[3]) };
  });

  // Where a word of the text begins so; -1 where none does.
  function begins(text, word) {
    for (var at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
      if (at === 0 || !/[a-z0-9_]/.test(text[at - 1]) || !/[a-z0-9_]/.test(word[0])) return at;
    }
    return -1;
  }

  function score(section, words) {
    var sum = 0;
    for (var i = 0; i < words.length; i++) {
      var inTitle = begins(section.title, words[i]) >= 0;
      var inText = begins(section.all, words[i]) >= 0;
      if (!inTitle && !inText) return 0;
      sum += (inTitle ? 10 : 0) + (inText ? 1 : 0);
    }
    return sum;
  }

  function line(section, words) {
    var item = document.createElement("li");
    var link = document.createElement("a");
    link.href = up + section.target;
    link.textContent = section.heading === section.page ? section.page : section.page + ": " + section.heading;
    item.append(link);
    var at = Math.max(0, begins(section.all, words[0]));
    var from = Math.max(0, at - 60);
    var part = document.createElement("p");
    part.textContent = (from > 0 ? "… " : "") + section.text.slice(from, at + 140) + (section.text.length > at + 140 ? " …" : "");
    item.append(part);
    return item;
  }

  function search() {
    var words = fold(box.value).split(/\s+/).filter(Boolean);
    found.hidden = words.length === 0;
    article.hidden = words.length > 0;
    found.textContent = "";
    if (words.length === 0) return;
    var hits = sections
      .map(function (section, order) { return { section: section, order: order, score: score(section, words) }; })
      .filter(function (hit) { return hit.score > 0; })
      .sort(function (a, b) { return b.score - a.score || a.order - b.order; });
    var head = document.createElement("p");
    head.textContent = hits.length === 0 ? "Nothing has these words." :
      hits.length + (hits.length === 1 ? " section" : " sections") + (hits.length > MOST ? ", the first " + MOST : "");
    var list = document.createElement("ol");
    hits.slice(0, MOST).forEach(function (hit) { list.append(line(hit.section, words)); });
    found.append(head, list);
  }

  box.addEventListener("input", search);
  // A hit on this page leads from the hits back to the text.
  found.addEventListener("click", function (event) {
    if (event.target.closest("a")) { box.value = ""; search(); }
  });
  document.addEventListener("keydown", function (event) {
    if (event.key === "/" && document.activeElement !== box) { event.preventDefault(); box.focus(); }
    if (event.key === "Escape" && document.activeElement === box) { box.value = ""; search(); box.blur(); }
  });
  var asked = new URLSearchParams(location.search).get("q");
  if (asked) { box.value = asked; search(); }
})();
