// Locates the browser of most page tests.

import { findExecutable } from "./executables.mjs";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
const FOLDERS = ["/usr/bin", "/usr/local/bin", "/snap/bin", "/opt/google/chrome"];

/** Path of Chromium: CHROMIUM_PATH, or the first of the usual names; undefined if not found. */
export function findChromium() {
  return findExecutable("CHROMIUM_PATH", NAMES, FOLDERS);
}
