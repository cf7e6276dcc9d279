// The library as an app: registers the service worker and tells it which game is open. Printing is here too.
"use strict";

// In a block: scripts of the pages share one scope for their names.
{
  const { worker } = document.currentScript.dataset;
  const OPEN = /^\/(?:games|rules)\/\d+\/$/;
  const DESK = document.getElementById("desk-offline");

  // The page itself, its game's offline file, and its QR code.
  function pathsToKeep() {
    const links = [...document.querySelectorAll("a[data-bundle]")].map((link) => link.pathname);
    const codes = [...document.querySelectorAll('img[src$="/qr.svg"]')].map((image) => new URL(image.src).pathname);
    return [...new Set([location.pathname, ...links, ...codes])];
  }

  async function keepWhatIsOpen() {
    await navigator.serviceWorker.register(worker, { scope: "/" });
    if (!OPEN.test(location.pathname) && !DESK) return;
    const { active } = await navigator.serviceWorker.ready;
    active.postMessage({ paths: pathsToKeep(), language: document.documentElement.lang });
  }

  // Only on the machine itself or over HTTPS does a browser allow it; elsewhere the pages work as ever.
  if ("serviceWorker" in navigator) {
    addEventListener("load", () => keepWhatIsOpen().catch(() => {}));
  }

  for (const button of document.querySelectorAll("[data-prints]")) {
    button.hidden = false;
    button.addEventListener("click", () => print());
  }
}
