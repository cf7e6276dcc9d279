// Comforts of pages that show passages; each page works without them.
// A neighbouring section or another language opens inside the card, one step leads back to the passage that was
// found, and the address of a passage is copied. The focus stays on the way that was taken, or goes to the title.
"use strict";

document.documentElement.classList.add("has-script");

const found = new WeakMap(); // card -> what stood in it when the page came
let taken = null; // the way that the reader took last: {step, tongue}

function opened(card) {
  card.querySelector("[data-card-back]").hidden = !found.has(card);
  const again = taken && card.querySelector(`[data-step="${taken}"]`);
  (again ?? card.querySelector("[data-card-title]")).focus({ preventScroll: true });
  if (card.getBoundingClientRect().top < 0) card.scrollIntoView({ block: "start" });
}

document.addEventListener("htmx:beforeSwap", (event) => {
  const card = event.detail.target;
  if (!card.matches(".passage") || event.detail.xhr.status !== 200) return;
  taken = event.detail.requestConfig.elt.dataset.step;
  if (!found.has(card)) found.set(card, card.innerHTML);
});

// After it is settled: what has the focus sooner is a plain link still, and a quick Enter would leave the page.
document.addEventListener("htmx:afterSettle", (event) => {
  if (event.detail.target.matches(".passage")) opened(event.detail.target);
});

// What cannot be opened in place is opened as the link says.
for (const failure of ["htmx:responseError", "htmx:sendError"]) {
  document.addEventListener(failure, (event) => {
    const link = event.detail.requestConfig.elt;
    if (link.matches(".passage a[href]")) location.assign(link.href);
  });
}

function back(card) {
  card.innerHTML = found.get(card);
  found.delete(card);
  htmx.process(card);
  taken = null;
  opened(card);
}

// Browsers keep the clipboard from pages that come without encryption, as from a library's own network.
async function copied(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text).then(() => true, () => false);
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "visually-hidden";
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  return done;
}

async function copy(button) {
  const address = new URL(button.dataset.copy, location.href).href;
  const done = await copied(address);
  button.focus();
  button.parentElement.querySelector("[aria-live]").textContent = done
    ? button.dataset.copied
    : `${button.dataset.failed} ${address}`;
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copy], [data-card-back]");
  if (!button) return;
  if ("copy" in button.dataset) copy(button);
  else back(button.closest(".passage"));
});
