import type { Entry, Verdict } from "nodrift/reproduce";

/** Reference verdict of an entry, from its values and the words of its acceptance. */
export function judge(entry: Entry): Verdict {
  const { acceptance, class: kind } = entry;
  if (acceptance === "") return kind === "reported" ? "reported" : "missed";
  if (!acceptance.split("; ").every((words) => isKept(words, entry))) return "missed";
  const verdicts = {
    "printed and reproduced": "reproduced",
    "printed, in magnitude": "in magnitude",
    "printed and not reproducible": "not reproducible",
    checked: "checked",
    reported: "reported",
  } as const;
  return verdicts[kind];
}

const FORM =
  /^(within a factor|within|more than|at most|at least) (\S+)(?: (\S+))?(?: (?:of|from) the (print|reference))?$/;

function isKept(words: string, { value, printed, reference }: Entry): boolean {
  const [, form, number, unit, whose] = FORM.exec(words) ?? [];
  if (form === undefined) throw new Error(`"${words}" is no acceptance`);
  // Values in words have three to six digits.
  const by = Number(number) * (1 + 1e-6);
  const c = (whose === "print" ? printed : reference) ?? Number.NaN;
  switch (form) {
    case "at most":
      return value <= by;
    case "at least":
      return value >= Number(number) * (1 - 1e-6);
    case "within a factor":
      return Math.max(value / c, c / value) <= by;
    case "more than":
      return Math.abs(value - c) > Number(number) * Math.abs(c);
    default:
      return Math.abs(value - c) <= by * (unit === "relative" ? Math.abs(c) : 1);
  }
}
