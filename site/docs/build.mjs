// `npm run site`: builds gallery, playground and documentation into one folder for any static host.

import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { posix } from "node:path";
import MiniSearch from "minisearch";
import { build } from "vite";
import { render } from "./markdown.mjs";
import { addressOf, escaped, navigation, sources, titleOf } from "./pages.mjs";
import { referencePages } from "./reference.mjs";
import { SEARCH_OPTIONS } from "./search-options.mjs";

const REPOSITORY = "https://www.npmjs.com/package/nodrift";

/** Builds the site; returns the pages of its documentation. */
export async function buildSite(out) {
  await build({ configFile: "site/vite.config.mjs", mode: "site", build: { outDir: out } });
  const template = readFileSync(`${out}/docs/template.html`, "utf8");
  rmSync(`${out}/docs/template.html`);
  for (const folder of ["pictures", "peers"]) {
    mkdirSync(`${out}/docs/${folder}`, { recursive: true });
    cpSync(`docs/${folder}`, `${out}/docs/${folder}`, { recursive: true });
  }
  const all = sources();
  const reference = referencePages();
  const more = reference.map(({ address, title }) => [address, title]);
  const pages = [
    ...all.map((source) => ({
      address: addressOf(source),
      title: titleOf(source),
      ...render(readFileSync(source, "utf8"), linkFrom(source, all)),
    })),
    ...reference.map(({ address, title, text }) => ({
      address,
      title,
      ...render(text, (link) => link),
    })),
  ];
  for (const { address, title, html } of pages) {
    const page = template
      .replace("[title]", () => escaped(title))
      .replace("[pages]", () => navigation(all, address, more))
      .replace("[body]", () => html);
    writeFileSync(`${out}/docs/${address}`, page);
  }
  writeFileSync(`${out}/docs/search.json`, indexOf(pages));
  return pages.map(({ address }) => address);
}

/** Returns a resolver for links: pages and copied pictures by address; links to repository files are removed. */
function linkFrom(source, all) {
  return (link) => {
    if (/^[a-z][a-z+.-]*:|^#/i.test(link)) return link;
    const [path, anchor] = link.split("#");
    const target = posix.join(posix.dirname(source), path);
    const hash = anchor === undefined ? "" : `#${anchor}`;
    if (all.includes(target)) return `./${addressOf(target)}${hash}`;
    if (/^docs\/(pictures|peers)\//.test(target)) return `./${target.slice("docs/".length)}`;
    return REPOSITORY;
  };
}

function indexOf(pages) {
  const search = new MiniSearch(SEARCH_OPTIONS);
  for (const { address, title, parts } of pages) {
    for (const { anchor, heading, text } of parts) {
      if (text.trim() === "" && anchor === "") continue;
      const place = anchor === "" ? `./${address}` : `./${address}#${anchor}`;
      search.add({ address: place, heading: heading || title, page: title, text });
    }
  }
  return JSON.stringify(search);
}
