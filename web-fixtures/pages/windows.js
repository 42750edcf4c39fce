// A page's windows and questions, as any page uses them.
//
// For drivers: #open and #blank open /pages/article.html; #alert, #confirm and #prompt ask; #said has data-state "idle" |
// "asked" | "done" and the answer as its text.

const said = document.getElementById("said");

document.getElementById("open").addEventListener("click", () => window.open("/pages/article.html", "article"));

function ask(id, question, tell) {
  document.getElementById(id).addEventListener("click", async () => {
    said.dataset.state = "asked";
    said.textContent = "Asked…";
    const answer = await question();
    said.dataset.state = "done";
    said.textContent = tell(answer);
  });
}
ask("alert", () => alert("The tide is turning."), () => "The alert was read.");
ask("confirm", () => confirm("Cross the bridge?"), (accepts) => accepts ? "You cross." : "You stay.");
ask("prompt", () => prompt("Who goes there?", "A friend"), (name) => name === null ? "Nobody." : `Welcome, ${name}.`);
