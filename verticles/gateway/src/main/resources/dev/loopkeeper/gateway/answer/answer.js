// The page of an answer link. The token is in the fragment, which browsers send to no server.
const part = (id) => document.getElementById(id);
const token = decodeURIComponent(location.hash.slice(1));
// Another link in the same tab changes only the fragment.
addEventListener("hashchange", () => location.reload());

async function post(path, body) {
  const response = await fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
    referrerPolicy: "no-referrer",
  });
  const answer = await response.json();
  if (!response.ok) throw Object.assign(new Error(answer.detail || answer.title), { closed: response.status === 410 });
  return answer;
}

function say(text) {
  part("message").textContent = text;
}

async function send(text) {
  const buttons = part("form").querySelectorAll("button");
  buttons.forEach((button) => (button.disabled = true));
  try {
    await post("api/v1/answers", { token, text });
    part("form").hidden = true;
    part("questions").replaceChildren();
    say("Sent. The run continues with your answer.");
  } catch (failure) {
    say(failure.message);
    part("form").hidden = Boolean(failure.closed);
    buttons.forEach((button) => (button.disabled = false));
  }
}

try {
  const question = await post("api/v1/answers/question", { token });
  part("name").textContent = question.name;
  say(question.message);
  for (const text of question.questions) {
    part("questions").append(Object.assign(document.createElement("li"), { textContent: text }));
  }
  for (const text of question.choices) {
    const choice = Object.assign(document.createElement("button"), { type: "button", textContent: text });
    choice.addEventListener("click", () => send(text));
    part("choices").append(choice);
  }
  part("form").hidden = false;
} catch (failure) {
  say(failure.message);
}

part("form").addEventListener("submit", (event) => {
  event.preventDefault();
  send(part("text").value);
});
