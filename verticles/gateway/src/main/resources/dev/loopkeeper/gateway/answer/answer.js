// The page of an answer link. The token is in the fragment, which browsers send to no server.
const part = (id) => document.getElementById(id);
const token = decodeURIComponent(location.hash.slice(1));

async function post(path, body) {
  const response = await fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
    referrerPolicy: "no-referrer",
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.detail || answer.title);
  return answer;
}

function say(text) {
  part("message").textContent = text;
}

try {
  const question = await post("api/v1/answers/question", { token });
  part("name").textContent = question.name;
  say(question.message);
  for (const text of question.questions) {
    part("questions").append(Object.assign(document.createElement("li"), { textContent: text }));
  }
  part("form").hidden = false;
} catch (failure) {
  say(failure.message);
}

part("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = part("form").querySelector("button");
  button.disabled = true;
  try {
    await post("api/v1/answers", { token, text: part("text").value });
    part("form").hidden = true;
    part("questions").replaceChildren();
    say("Sent. The run continues with your answer.");
  } catch (failure) {
    say(failure.message);
    button.disabled = false;
  }
});
