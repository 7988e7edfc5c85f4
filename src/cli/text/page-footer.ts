import { version } from "./version.js";

/** Last line of a page: version and date. */
export function pageFooter(): string {
  const today = new Date().toLocaleDateString("en-GB", {
    day: "numeric",
    month: "long",
    year: "numeric",
  });
  return `nodrift ${version()}, ${today}`;
}
