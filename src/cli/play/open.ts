// Opens pages in the user's browser.

import { spawn } from "node:child_process";

/** Program that opens addresses and files, by platform. */
const OPENERS: Readonly<Record<string, readonly string[]>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};

/** Opens an address or file. Does nothing without a browser: the address has been printed. */
export function openInBrowser(address: string): void {
  const [program, ...words] = OPENERS[process.platform] ?? ["xdg-open"];
  const child = spawn(program!, [...words, address], { stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}
