// Suggestions for misspelt names.

/** American spellings and the British ones that this package uses. */
const SPELLINGS: readonly (readonly [american: RegExp, british: string])[] = [
  [/iz(e|es|ed|ing|er|ation|ations)(?=$|[A-Z])/g, "is$1"],
  [/([Cc])enter/g, "$1entre"],
  [/([Cc])olor/g, "$1olour"],
  [/([Tt])ire(?=s?$|s?[A-Z])/g, "$1yre"],
  [/([Bb])ehavior/g, "$1ehaviour"],
];

/** Converts a name to British spelling: American names are accepted for all options. */
export function british(name: string): string {
  return SPELLINGS.reduce((word, [american, spelling]) => word.replace(american, spelling), name);
}

/** Terms of other packages and papers for names used here. The first one that is known is meant. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  tol: ["tolerance"],
  rtol: ["relative", "tolerance"],
  reltol: ["relative", "tolerance"],
  atol: ["absolute", "tolerance"],
  abstol: ["absolute", "tolerance"],
  dt: ["step"],
  h: ["step"],
  timestep: ["step"],
  h0: ["firstStep"],
  initialstep: ["firstStep"],
  hmax: ["maximumStep"],
  maxstep: ["maximumStep"],
  maxsteps: ["maximumSteps"],
  nmax: ["maximumSteps"],
  timeout: ["maximumSeconds"],
  tspan: ["span"],
  timespan: ["span"],
  t: ["time"],
  t0: ["time", "span"],
  span: ["until"],
  tend: ["span", "until"],
  duration: ["span", "until"],
  q0: ["q"],
  positions: ["q"],
  v0: ["v"],
  velocities: ["v"],
  y0: ["y", "q"],
  solver: ["method", "integrator"],
  teval: ["output"],
  saveat: ["output"],
  callback: ["events", "each"],
  onstep: ["each"],
  constraints: ["holonomic"],
  dof: ["coordinates"],
  g: ["gravity"],
  com: ["centre"],
  pos: ["position"],
  rotation: ["orientation"],
  quaternion: ["orientation"],
  omega: ["angularVelocity"],
  linearvelocity: ["velocity"],
  bodies: ["between", "body"],
  point: ["at"],
  anchor: ["at"],
  k: ["stiffness"],
  c: ["damping"],
  d: ["damping"],
  restlength: ["length"],
  hinge: ["revolute"],
  pin: ["revolute"],
  slider: ["prismatic"],
  slide: ["prismatic"],
  translational: ["prismatic"],
  ball: ["spherical"],
  ballandsocket: ["spherical"],
  weld: ["fixed"],
  rigid: ["fixed"],
  cardan: ["universal"],
  hooke: ["universal"],
  rigidbody: ["body"],
  addbody: ["body"],
  damper: ["spring"],
  force: ["pointForce"],
  motor: ["driveAngle", "torque"],
  actuator: ["driveDisplacement"],
  rope: ["distance"],
  link: ["distance"],
  contact: ["stop"],
  collision: ["stop"],
  wheel: ["tyre", "rollingDisk"],
  cam: ["constraint"],
  pulley: ["gear"],
  belt: ["gear"],
  simulate: ["run"],
  simulation: ["run"],
  sim: ["run"],
  solve: ["run"],
  report: ["run"],
  plot: ["run"],
  animate: ["run"],
  linearise: ["check"],
  eigenvalues: ["check"],
  modes: ["check"],
  statics: ["check"],
  equilibrium: ["check"],
  analyse: ["check"],
  validate: ["check"],
  lint: ["check"],
  info: ["check"],
  compile: ["check"],
  view: ["play"],
  serve: ["play"],
  gui: ["play"],
  playground: ["play"],
  campaign: ["sweep"],
  study: ["sweep"],
  montecarlo: ["sweep"],
  sensitivity: ["sweep"],
  list: ["examples"],
  models: ["examples"],
  init: ["examples"],
  new: ["examples"],
};

/** Returns what to write instead of an unknown name. */
export function hint(name: unknown, known: readonly string[]): string {
  const near = meant(name, known);
  return near === undefined ? `: there are ${known.join(", ")}` : `: did you mean ${near}?`;
}

/** Returns the known name that is probably meant, if there is one. */
export function meant(name: unknown, known: readonly string[]): string | undefined {
  if (typeof name !== "string") return undefined;
  const word = british(name);
  const spelt = known.includes(word) ? word : undefined;
  return (
    spelt ??
    synonym(word, known) ??
    nearest(word, known) ??
    known.find((one) => lettersOf(one) === lettersOf(word)) ??
    beginning(word, known)
  );
}

/** Letters of a word in alphabetical order, to recognise transposed letters: "axsi". */
function lettersOf(name: string): string {
  return [...name.toLowerCase()].sort().join("");
}

function synonym(word: string, known: readonly string[]): string | undefined {
  const key = word.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
  const words = Object.hasOwn(SYNONYMS, key) ? SYNONYMS[key]! : [];
  return words.find((each) => known.includes(each));
}

/**
 * Returns the only known name that begins with a word of three letters or more, or with which the word begins: `vel`,
 * `axisOfRotation`.
 */
function beginning(word: string, known: readonly string[]): string | undefined {
  if (word.length < 3) return undefined;
  const lower = word.toLowerCase();
  const found = known.filter((each) => {
    const other = each.toLowerCase();
    return other.startsWith(lower) || (other.length > 3 && lower.startsWith(other));
  });
  return found.length === 1 ? found[0] : undefined;
}

function nearest(name: string, known: readonly string[]): string | undefined {
  // Too long to be a misspelling of a name: skip the table.
  if (name.length > 60) return undefined;
  const distances = known.map((candidate) =>
    editDistance(name.toLowerCase(), candidate.toLowerCase()),
  );
  const least = Math.min(...distances);
  return least <= name.length / 3 ? known[distances.indexOf(least)] : undefined;
}

/** Counts insertions, deletions and replacements from one word to another, with rows of Levenshtein's table. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const above = row;
    row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = above[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(replaced, above[j]! + 1, row[j - 1]! + 1));
    }
  }
  return row[b.length]!;
}

/**
 * Lists in a file may be long, and so may names: limits of names compared, of names listed, and of characters in a name that is compared.
 */
const MAX_COMPARED = 50;
const MAX_LISTED = 20;
const MAX_NAME_LENGTH = 200;

/** Returns the end of a message about an unknown name: a similar name, or the list of names. */
export function advice(name: string, known: readonly string[]): string {
  if (known.length === 0) return "";
  const near = similar(name, known);
  if (near !== undefined) return `: did you mean ${near}?`;
  const more = known.length > MAX_LISTED ? ", ..." : "";
  return `: there are ${known.slice(0, MAX_LISTED).join(", ")}${more}`;
}

/** Returns the known name that is probably meant, if there is one. */
export function similar(name: string, known: readonly string[]): string | undefined {
  if (name.length > MAX_NAME_LENGTH) return undefined;
  const compared = known.slice(0, MAX_COMPARED);
  return meant(name, compared);
}
