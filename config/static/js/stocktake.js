// Stocktake: scans come faster than answers. Each Enter puts a code into a queue that outlives a reload, and
// the queue is sent as one list as soon as the answer before it is there. A code sent twice counts once, so
// whatever may have arrived is simply sent again. The boxes not seen yet may be many thousands: the list is asked
// for again only while somebody looks at it. The page works without this script.
"use strict";

const form = document.querySelector("#stocktake-form");
const box = form.elements.codes;
const waiting = document.querySelector("#stocktake-waiting");
const latest = document.querySelector("#stocktake-latest");
const unseen = document.querySelector("#stocktake-unseen");
const TRY_AGAIN_MS = 3000;

let queue = JSON.parse(localStorage.getItem(form.dataset.queue) || "[]");
let sending = false;

function keep(words) {
  localStorage.setItem(form.dataset.queue, JSON.stringify(queue));
  waiting.textContent = queue.length ? `${words} ${queue.length}` : "";
}

async function lookAgain() {
  if (!unseen.open) return;
  const answer = await fetch(location.href).catch(() => null);
  if (!answer?.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  unseen.querySelector("ul").replaceWith(fresh.querySelector("#stocktake-unseen ul"));
}

async function send() {
  if (sending || !queue.length) return;
  sending = true;
  const codes = [...queue];
  try {
    const fields = new URLSearchParams({ codes: codes.join("\n") });
    fields.set("csrfmiddlewaretoken", form.elements.csrfmiddlewaretoken.value);
    const answer = await fetch(form.action, { method: "POST", body: fields, headers: { "HX-Request": "true" } });
    if (!answer.ok || answer.redirected) throw new Error(answer.status);
    latest.innerHTML = await answer.text();
    queue.splice(0, codes.length);
    sending = false;
    keep(waiting.dataset.some);
    lookAgain();
    send();
  } catch {
    sending = false;
    keep(waiting.dataset.trouble);
    setTimeout(send, TRY_AGAIN_MS);
  }
}

function take(event) {
  event.preventDefault();
  queue.push(...box.value.split("\n").map((code) => code.trim()).filter(Boolean));
  box.value = "";
  box.focus();
  keep(waiting.dataset.some);
  send();
}

form.addEventListener("submit", take);
unseen.addEventListener("toggle", lookAgain);
box.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey) take(event);
});
keep(waiting.dataset.some);
send();
