// Search in the documentation without a server: the index is a file, fetched when a search begins.

import MiniSearch from "minisearch";
import { make } from "../dom.js";
import { SEARCH_OPTIONS } from "./search-options.mjs";

const MAX_RESULTS = 12;
const input = document.getElementById("search") as HTMLInputElement;
const list = document.getElementById("found") as HTMLElement;
let index: Promise<MiniSearch> | undefined;

/** Returns the index, fetched once. */
function ready(): Promise<MiniSearch> {
  index ??= fetch("./search.json")
    .then((answer) => answer.text())
    .then((text) => MiniSearch.loadJSON(text, SEARCH_OPTIONS));
  return index;
}

async function search(): Promise<void> {
  const words = input.value.trim();
  const all = words === "" ? [] : (await ready()).search(words);
  // The input may have changed meanwhile.
  if (words !== input.value.trim()) return;
  list.replaceChildren(
    ...all.slice(0, MAX_RESULTS).map((found) => {
      const { address, heading, page } = found as unknown as Record<string, string>;
      return make("li", {}, make("a", { href: address! }, heading!, make("small", {}, page!)));
    }),
  );
  if (words !== "" && all.length === 0) list.append(make("li", {}, "No results."));
  list.hidden = words === "";
}

input.addEventListener("focus", () => void ready());
input.addEventListener("input", () => void search());
input.addEventListener("keydown", ({ key }) => {
  if (key === "Escape") {
    input.value = "";
    list.hidden = true;
  }
  if (key === "Enter") list.querySelector("a")?.click();
});
document.addEventListener("click", ({ target }) => {
  if (!(target as HTMLElement).closest(".search")) list.hidden = true;
});

// On a phone the list of pages would push the content off the screen.
if (matchMedia("(max-width: 800px)").matches) {
  document.getElementById("pages")?.removeAttribute("open");
}
