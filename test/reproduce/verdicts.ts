import type { Entry, Verdict } from "nodrift/reproduce";

/** What an entry must be by its numbers and the words of its acceptance. */
export function judge({ printed, reference, value, acceptance }: Entry): {
  readonly verdict: Verdict;
  readonly difference: number;
} {
  const [, known, check] = /^(known not to reproduce(?:; |$))?(.*)$/.exec(acceptance) ?? [];
  const compared = reference ?? printed;
  const [, words, bound, unit] = /^(within|at most|at least|exactly)(?: (\S+))?(?: (.*))?$/.exec(
    check,
  ) ?? ["", "", "", ""];
  if (check !== "" && words === "") throw new Error(`"${acceptance}" is no acceptance`);
  const plain = words === "exactly" || (words === "within" && unit !== "relative");
  const from = compared ?? Number(bound);
  const difference = plain ? value - from : (value - from) / Math.abs(from);
  const accepted = {
    "": true,
    within: Math.abs(difference) <= Number(bound),
    "at most": value <= Number(bound),
    "at least": value >= Number(bound),
    exactly: value === from,
  }[words];
  if (!accepted) return { verdict: "missed", difference };
  return { verdict: known ? "not reproducible" : "reproduced", difference };
}
