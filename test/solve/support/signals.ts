import type { StopSignal } from "nodrift/solve";

/** Asks to stop from the look number `looks` on, whenever that is: limits are tried at each place that looks. */
export function stopAfter(looks: number): StopSignal & { readonly seen: number } {
  let seen = 0;
  return {
    get aborted() {
      return seen++ >= looks;
    },
    reason: "enough",
    get seen() {
      return seen;
    },
  };
}
