// Markdown to HTML: headings with GitHub anchors, syntax highlighting by classes, links between pages.

import { classHighlighter, highlightCode } from "@lezer/highlight";
import { parser as javascript } from "@lezer/javascript";
import { parser as json } from "@lezer/json";
import MarkdownIt from "markdown-it";
import { escaped } from "./pages.mjs";

const typescript = javascript.configure({ dialect: "ts" });
const PARSERS = { js: javascript, javascript, ts: typescript, typescript, json };

function coloured(code, language) {
  const parser = PARSERS[language];
  if (!parser) return escaped(code);
  let html = "";
  highlightCode(
    code,
    parser.parse(code),
    classHighlighter,
    (text, classes) => {
      html += classes ? `<span class="${classes}">${escaped(text)}</span>` : escaped(text);
    },
    () => {
      html += "\n";
    },
  );
  return html;
}

/** Creates anchors as GitHub does; repeated headings get a number. */
function anchors() {
  const used = new Set();
  return (text) => {
    const anchor = text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, "")
      .replaceAll(" ", "-");
    let unique = anchor;
    for (let count = 1; used.has(unique); count++) unique = `${anchor}-${count}`;
    used.add(unique);
    return unique;
  };
}

/**
 * Renders a page: its HTML, and its sections for the search. `link` resolves the address of a link.
 */
export function render(text, link) {
  const markdown = new MarkdownIt({ html: true, highlight: coloured });
  const anchor = anchors();
  const parts = [{ anchor: "", heading: "", text: "" }];
  const tokens = markdown.parse(text, {});
  for (const [i, token] of tokens.entries()) {
    if (token.type === "heading_open") {
      const words = plain(tokens[i + 1]);
      token.attrSet("id", anchor(words));
      parts.push({ anchor: token.attrGet("id"), heading: words, text: "" });
    } else if (token.type === "inline") {
      parts.at(-1).text += ` ${plain(token)}`;
      for (const child of token.children) relink(child, link);
    } else if (token.type === "fence") parts.at(-1).text += ` ${token.content}`;
  }
  markdown.renderer.rules.table_open = () =>
    '<div class="table" tabindex="0" role="region" aria-label="Table"><table>\n';
  markdown.renderer.rules.table_close = () => "</table></div>\n";
  // Formulas are indented code. Both kinds of code may be wider than a phone, and must be scrollable by keyboard.
  markdown.renderer.rules.code_block = (all, i) =>
    `<pre tabindex="0"><code>${coloured(all[i].content, "")}</code></pre>\n`;
  markdown.renderer.rules.fence = (all, i) => {
    const { info, content } = all[i];
    return `<pre tabindex="0"><code>${coloured(content, info.trim().split(/\s/)[0])}</code></pre>\n`;
  };
  return { html: markdown.renderer.render(tokens, markdown.options, {}), parts };
}

function plain(token) {
  return token.children
    .map(({ type, content }) =>
      type === "softbreak" ? " " : type === "text" || type === "code_inline" ? content : "",
    )
    .join("");
}

function relink(token, link) {
  const key = token.type === "image" ? "src" : "href";
  const target = token.attrGet?.(key);
  if (target) token.attrSet(key, link(target));
}
