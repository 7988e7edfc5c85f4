// Implementation of `npm run figures` without the registry of groups: reads arguments, measures, stores, compares.

import type { Figure, FigureGroup } from "../figures/figure.js";
import {
  Comparison,
  isVersion,
  newestBefore,
  readFigures,
  type StoredGroup,
  storedVersions,
  storeGroup,
} from "./figure-store.js";

export interface FigureSettings {
  readonly groups: Readonly<Record<string, FigureGroup>>;
  /** Folder of figures stored by version. */
  readonly folder: string;
  /** Version of the package. */
  readonly version: string;
  readonly machine: StoredGroup["machine"];
  /** Receives results, one JSON line each. */
  readonly print: (line: string) => void;
  /** Receives messages. */
  readonly tell: (line: string) => void;
}

interface Arguments {
  readonly names: readonly string[];
  readonly store: boolean;
  /** The version to compare with. */
  readonly against: string | undefined;
}

/**
 * Measures groups. Returns the exit code: 1 when a figure misses its target or, with `--against`, when one that met
 * its target in that version misses it now; 2 if the arguments are invalid.
 */
export async function runFigures(
  argv: readonly string[],
  settings: FigureSettings,
): Promise<number> {
  const read = readArguments(argv, settings);
  if (typeof read === "string") {
    settings.tell(read);
    return 2;
  }
  const { folder, version, tell } = settings;
  // Read before anything is stored: the two may be the same version.
  const old = read.against === undefined ? undefined : readFigures(folder, read.against).groups;
  const missed: string[] = [];
  for (const name of read.names) {
    if (old && !old[name]) tell(`${read.against} has no stored figures of the group "${name}"`);
    const measured = await measure(name, settings, old && new Comparison(old[name]));
    missed.push(...measured.missed);
    if (!read.store) continue;
    const { figures } = measured;
    const path = storeGroup(folder, version, name, { machine: settings.machine, figures });
    tell(`${figures.length} figures of "${name}" stored in ${path}`);
  }
  if (old && missed.length > 0) {
    tell(`met in ${read.against}, missed now (${missed.length}):`);
    for (const figure of missed) tell(`  ${figure}`);
  }
  return missed.length > 0 ? 1 : 0;
}

/** Measures and prints a group; with a comparison only regressions count as missed. */
async function measure(
  name: string,
  { groups, print, tell }: FigureSettings,
  comparison: Comparison | undefined,
): Promise<{ figures: readonly Figure[]; missed: readonly string[] }> {
  const figures: Figure[] = [];
  const missed: string[] = [];
  for await (const figure of groups[name]()) {
    figures.push(figure);
    const compared = comparison?.add(figure);
    print(JSON.stringify(compared ?? figure));
    if (compared ? compared.verdict === "regressed" : !figure.pass) missed.push(figure.figure);
  }
  for (const gone of comparison?.gone() ?? []) tell(`stored, and not measured now: ${gone}`);
  return { figures, missed };
}

/** The arguments, or an error message. */
function readArguments(argv: readonly string[], settings: FigureSettings): Arguments | string {
  const { groups, folder, version } = settings;
  const names: string[] = [];
  let store = false;
  let against: string | undefined;
  for (let i = 0; i < argv.length; i++) {
    const argument = argv[i];
    if (argument === "--store") {
      store = true;
    } else if (argument === "--against") {
      const given = isVersion(argv[i + 1] ?? "") ? argv[++i] : undefined;
      against = given ?? newestBefore(folder, version);
      const stored = storedVersions(folder);
      if (against !== undefined && stored.includes(against)) continue;
      const what = given === undefined ? `from before ${version}` : `of ${given}`;
      return `no figures ${what} are stored; there are: ${stored.join(", ") || "none"}`;
    } else if (argument.startsWith("-")) {
      return `no option "${argument}"; there are: --store, --against [VERSION]`;
    } else if (Object.hasOwn(groups, argument)) {
      names.push(argument);
    } else {
      return `no figures named "${argument}"; there are: ${Object.keys(groups).join(", ")}`;
    }
  }
  return { names: names.length > 0 ? names : Object.keys(groups), store, against };
}
