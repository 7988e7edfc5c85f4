// Suggestions for misspelt names.

/** American spellings and the British ones that this package uses. */
const SPELLINGS: readonly (readonly [american: RegExp, british: string])[] = [
  [/iz(e|es|ed|ing|er|ation|ations)(?=$|[A-Z])/g, "is$1"],
  [/([Cc])enter/g, "$1entre"],
  [/([Cc])olor/g, "$1olour"],
  [/([Tt])ire(?=s?$|s?[A-Z])/g, "$1yre"],
  [/([Bb])ehavior/g, "$1ehaviour"],
];

/** A name in British spelling: American ones are understood wherever options are read. */
export function british(name: string): string {
  return SPELLINGS.reduce((word, [american, spelling]) => word.replace(american, spelling), name);
}

/** Words of other packages and of papers for what has another name here. The first that is known is meant. */
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
  tend: ["span"],
  duration: ["span"],
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
};

/** What to write instead of a name that is not known. */
export function hint(name: unknown, known: readonly string[]): string {
  const near = meant(name, known);
  return near === undefined ? `: there are ${known.join(", ")}` : `: did you mean ${near}?`;
}

/** The known name that a wrong one is probably meant to be, if there is one. */
export function meant(name: unknown, known: readonly string[]): string | undefined {
  if (typeof name !== "string") return undefined;
  const word = british(name);
  const spelt = known.includes(word) ? word : undefined;
  return (
    spelt ??
    nearest(word, known) ??
    known.find((one) => lettersOf(one) === lettersOf(word)) ??
    synonym(word, known) ??
    beginning(word, known)
  );
}

/** The same for words with letters in another order: "axsi". */
function lettersOf(name: string): string {
  return [...name.toLowerCase()].sort().join("");
}

function synonym(word: string, known: readonly string[]): string | undefined {
  const key = word.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
  const words = Object.hasOwn(SYNONYMS, key) ? SYNONYMS[key]! : [];
  return words.find((each) => known.includes(each));
}

/** Three letters and more that only one name begins with, or that begin with a name: `vel`, `axisOfRotation`. */
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
  // Not worth a table: too different to be a misspelling.
  if (name.length > 60) return undefined;
  const distances = known.map((candidate) =>
    editDistance(name.toLowerCase(), candidate.toLowerCase()),
  );
  const least = Math.min(...distances);
  return least <= name.length / 3 ? known[distances.indexOf(least)] : undefined;
}

/** Insertions, deletions and replacements from one word to another: by rows of Levenshtein's table. */
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
