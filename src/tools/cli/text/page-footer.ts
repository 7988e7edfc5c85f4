import { version } from "./version.js";

/** The last line of a page. */
export function pageFooter(): string {
  const today = new Date().toLocaleDateString("en-GB", {
    day: "numeric",
    month: "long",
    year: "numeric",
  });
  return `nodrift ${version()}, ${today}`;
}
