import { existsSync, readFileSync } from "node:fs";
import { markdownTable as table } from "./markdown-table.js";
import { OWN_PROBLEMS, type OwnRun, workAt } from "./work-precision-runs.js";

/** Written by `npm run work-precision`. */
export const OWN_RUNS = "bench/results/work-precision.json";
const PEERS = "bench/results/peers.json";

/** A row of the comparison with other engines. */
interface PeerRow {
  readonly problem: string;
  readonly contestant: string;
  readonly milliseconds: number;
  readonly error: number | null;
  readonly violation: number;
  readonly failure?: string;
}

const OWN_ERRORS = [1e-3, 1e-5, 1e-7, 1e-9];
const PEER_ERRORS = [1e-2, 1e-4, 1e-6, 1e-8];

/** docs/work-precision.md: generated from measured values. A test compares it with the file. */
export function workPrecisionPage(): string {
  return `# Work and precision

Made by \`npm run docs\` from runs stored in \`bench/results\`. A method is good if it needs little work for a small error. Each table has the work
of a contestant at an error, interpolated between two of its runs in logarithms. A dash means that it never reached the error.
The [playground](playground.md) compares methods on your own model, and so does \`npx nodrift compare\`.

## Our integrators on our problems

Work is counted in evaluations of the accelerations, which are identical on every machine; for implicit integrators the factorisations follow a plus sign.
The error is the largest distance of a body from its position in the reference, at the end. Explicit integrators run with the formulation and
projection that \`solve\` chooses, implicit ones in independent coordinates. ${readFrom("npm run work-precision")}

${OWN_PROBLEMS.map(ownSection).join("\n\n")}

## Against other engines

Work is CPU time in milliseconds, on the machine that [speed.md](speed.md) names; errors are in metres. "Open by" is the largest gap of a
joint in any of the runs. Engines that approximate joints by springs or impulses have an error floor at any step size. ${readFrom("npm ci && node run.mjs", " in bench/peers")}

${peerSections().join("\n\n")}
`;
}

const readFrom = (command: string, where = "") => `Measured by \`${command}\`${where}.`;

function ownSection({ name, title, until, reference }: (typeof OWN_PROBLEMS)[number]): string {
  const runs = (JSON.parse(readFileSync(OWN_RUNS, "utf8")) as OwnRun[]).filter(
    ({ problem }) => problem === name,
  );
  const rows = [...new Set(runs.map(({ integrator }) => integrator))].map((integrator) => {
    const own = improving(runs.filter((run) => run.integrator === integrator));
    const at = (error: number, read: (run: OwnRun) => number) =>
      workAt(
        own.map((run) => ({ error: run.error, work: read(run) })),
        error,
      );
    const cells = OWN_ERRORS.map((error) => {
      const evaluations = at(error, (run) => run.evaluations);
      const factors = at(error, (run) => run.factorisations);
      return factors ? `${whole(evaluations)} + ${whole(factors)}` : whole(evaluations);
    });
    return [`\`${integrator}\``, ...cells];
  });
  return `### ${title}

The model \`examples/${name}.json\` for ${until} s; reference: \`${reference}\` at a tolerance of 1e-13. In the playground: open \`${name}\`, tab "Compare". In a
terminal: \`npx nodrift compare ${name}\`.

${table(["integrator", ...OWN_ERRORS.map((error) => `error ${error.toExponential()} `.trim())], rows)}`;
}

/** Only runs that are better than all previous ones, because a looser tolerance may be better by chance. */
function improving<T extends { readonly error: number }>(runs: readonly T[]): readonly T[] {
  let best = Number.POSITIVE_INFINITY;
  return runs.filter(({ error }) => {
    const isBetter = error < best;
    if (isBetter) best = error;
    return isBetter;
  });
}

function peerSections(): string[] {
  const { rows } = JSON.parse(readFileSync(PEERS, "utf8")) as { readonly rows: readonly PeerRow[] };
  return [...new Set(rows.map(({ problem }) => problem))].map((problem) => {
    const own = rows.filter((row) => row.problem === problem && row.failure === undefined);
    const hasErrors = own.some(({ error }) => typeof error === "number");
    const heads = hasErrors ? PEER_ERRORS.map((error) => `error ${error.toExponential()}`) : [];
    const lines = [...new Set(own.map(({ contestant }) => contestant))].map((contestant) => {
      const runs = own.filter((row) => row.contestant === contestant);
      return [contestant, ...(hasErrors ? timesOf(runs) : []), openBy(runs)];
    });
    const pictures = ["error", "violation"]
      .map((what) => [what, `peers/${problem}-${what}.svg`] as const)
      .filter(([, path]) => existsSync(`docs/${path}`))
      .map(([what, path]) => `![${titled(problem)}: ${what} against CPU time](${path})`);
    return `### ${titled(problem)}

${pictures.join("\n\n")}

${table(["contestant", ...heads, "open by, m"], lines)}`;
  });
}

function timesOf(runs: readonly PeerRow[]): string[] {
  const known = runs.flatMap(({ error, milliseconds }) =>
    typeof error === "number" ? [{ error, work: milliseconds }] : [],
  );
  const sorted = improving(known.sort((a, b) => b.error - a.error));
  return PEER_ERRORS.map((error) => {
    const work = workAt(sorted, error);
    return work === undefined ? "-" : String(Number(work.toPrecision(3)));
  });
}

function openBy(runs: readonly PeerRow[]): string {
  const most = Math.max(...runs.map(({ violation }) => violation));
  return Number.isFinite(most) ? most.toExponential(1) : "-";
}

function titled(problem: string): string {
  const [, kind = problem, count] = /^(.*?)-(\d+)$/.exec(problem) ?? [];
  if (kind === "chain") return `Chain of ${count} rods`;
  if (kind === "four-bar") return `${count} four-bars`;
  return "Double pendulum, against others";
}

const whole = (work: number | undefined) => (work === undefined ? "-" : String(Math.round(work)));
