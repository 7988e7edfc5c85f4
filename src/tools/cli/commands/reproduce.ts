import { work } from "../papers/crew.js";
import { type Finding, type Job, jobs } from "../papers/job.js";
import { countText, dataOf, pageOf, printFinding, printMissed } from "../papers/told.js";
import { SILENT } from "../terminal/bar.js";
import { bytes } from "../terminal/numbers.js";
import { EXIT, printed, type Terminal } from "../terminal/terminal.js";
import { checkWritable, writeWhole } from "../written/atomic-file.js";
import { command, UsageError } from "./command.js";

/** `nodrift reproduce`. */
export default command({
  operands: "[NAME...]",
  count: [0, Number.POSITIVE_INFINITY],
  description: [
    "Measures the tables of the papers that nodrift implements, and draws their figures: what is",
    "printed there, what comes out here, and whether that is within what is accepted. Numbers that",
    "do not follow from what their paper says are listed as such; numbers that no paper prints are",
    "held against references of our own, or reported. Without a name all are run, on several",
    "threads, in less than 3 minutes, and a page is written. Tables and figures:",
    ...jobs.map(({ of: { name, title } }) => `  ${name}: ${title}`),
  ].join("\n"),
  options: {
    out: { value: "FILE", short: "o", help: "the page (default: reproduction.html)" },
    json: { help: "prints the entries as JSON" },
    quiet: { short: "q", help: "only what was missed, and the count" },
  },
  examples: ["nodrift reproduce", "nodrift reproduce welch-table-1 negrut-table-3"],

  async run({ operands, options }, terminal) {
    const chosen = operands.length === 0 ? jobs : operands.map(find);
    const path = options.out ?? "reproduction.html";
    checkWritable(path);
    const bar = options.quiet ? SILENT : terminal.bar();
    const found = new Map<Job, Finding>();
    const findings = () => chosen.flatMap((job) => found.get(job) ?? []);
    const show = (where: Terminal) => {
      const all = findings();
      const tables = all.filter(({ job }) => job.kind === "table");
      if (options.json) where.print(JSON.stringify(tables.map(dataOf), null, 2));
      else for (const one of all) (options.quiet ? printMissed : printFinding)(where, one);
      if (!options.json) where.print(countText(all));
    };
    await work(chosen, terminal.signal, {
      progress: (fraction, text) => bar.update(fraction, text),
      found(finding) {
        found.set(finding.job, finding);
        const files = [{ path, text: pageOf(findings()) }];
        terminal.keep({ print: printed(terminal, show), files });
      },
    });
    bar.stop();
    show(terminal);
    const size = writeWhole(path, pageOf(findings()), terminal);
    if (!options.json) terminal.print(`written: ${path} (${bytes(size)})`);
    if (terminal.signal.aborted) return EXIT.interrupted;
    const all = findings().flatMap(({ entries }) => entries);
    return all.some(({ verdict }) => verdict === "missed") ? EXIT.bad : EXIT.good;
  },
});

function find(name: string): Job {
  const found = jobs.find(({ of }) => of.name === name);
  if (found) return found;
  const names = jobs.map(({ of }) => of.name);
  throw new UsageError(`there is no table "${name}"; there are ${names.join(", ")}`);
}
