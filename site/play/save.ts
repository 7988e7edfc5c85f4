// Saves a text as a file on the user's computer.

import { make } from "../../src/report/page/dom.js";

export function save(name: string, text: string): void {
  const link = make("a", { download: name });
  link.href = URL.createObjectURL(new Blob([text]));
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
