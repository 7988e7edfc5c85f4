// Opening pages in the browser of the person.

import { spawn } from "node:child_process";

/** The program that opens things, by platform. */
const OPENERS: Readonly<Record<string, readonly string[]>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};

/** Opens an address or file. Where there is no browser nothing happens: the address was printed. */
export function openInBrowser(address: string): void {
  const [program, ...words] = OPENERS[process.platform] ?? ["xdg-open"];
  const child = spawn(program!, [...words, address], { stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}
