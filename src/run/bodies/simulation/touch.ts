// Where a limit is met inside a step. How far the joint is beyond the limit, g, is known at any length s of a step from the same
// state, for the price of that step, with its rate g'. Newton's iteration inside a bracket finds the zero in about four steps.
// Rejected: a polynomial through both ends of the step. It is cheaper, but its zero is not a state of the method: what bounces
// would start beyond the limit by the error of the polynomial, and sink by that in each bounce.

/** How far beyond a limit a joint is, and the rate of that. */
export interface Height {
  readonly beyond: number;
  readonly rate: number;
}

/** Depth that counts as touch, before the limit. */
const TOUCH = 1e-13;
/** A bracket that is nothing, in steps. */
const NARROW = 1e-13;
/** From a whole step to that by halving alone. */
const HALVINGS = 44;

/**
 * The length of step in (0, s] after which the limit is met from inside; 0 where the joint is beyond from the beginning on. `at` takes the
 * step and measures. The last step that it takes is the one of the result.
 */
export function touchIn(
  s: number,
  before: Height,
  after: Height,
  size: number,
  at: (length: number) => Height,
): number {
  let [inside, outside] = [0, s];
  let x = s * firstZero(before, after, s);
  const touch = TOUCH * size;
  for (let i = 0; i < 2 * HALVINGS && outside - inside > NARROW * s; i++) {
    const { beyond, rate } = at(x);
    if (beyond <= 0 && beyond >= -touch && rate > 0) return x;
    if (beyond > 0) outside = x;
    else inside = x;
    const newton = x - (beyond + touch / 2) / rate;
    const isGood = rate > 0 && newton > inside && newton < outside && i < HALVINGS;
    x = isGood ? newton : inside + (outside - inside) / 2;
  }
  if (inside > 0) at(inside);
  return inside;
}

/** Where the cubic through both ends with their rates rises through zero, as a part of the step: a guess. */
function firstZero(before: Height, after: Height, s: number): number {
  let [low, high] = [0, 1];
  for (let i = 0; i < 20; i++) {
    const middle = (low + high) / 2;
    if (cubicAt(before, after, s, middle) > 0) high = middle;
    else low = middle;
  }
  return high;
}

/** Hermite's cubic at a part x of a step of length s. */
function cubicAt(before: Height, after: Height, s: number, x: number): number {
  const y = 1 - x;
  return (
    y * y * ((1 + 2 * x) * before.beyond + x * s * before.rate) +
    x * x * ((1 + 2 * y) * after.beyond - y * s * after.rate)
  );
}

/**
 * Where a limit may have been passed and left again inside a step of length s: the length to its highest place; undefined where it has
 * not, as far as both ends tell. Twelve places are enough to see a top between ends that move apart.
 */
export function topIn(s: number, before: Height, after: Height): number | undefined {
  if (!(before.rate > 0 && after.rate < 0)) return undefined;
  let best = 0;
  let highest = 0;
  for (let i = 1; i < 12; i++) {
    const height = cubicAt(before, after, s, i / 12);
    if (!(height > highest)) continue;
    best = i / 12;
    highest = height;
  }
  return highest > 0 ? best * s : undefined;
}

/**
 * The length of step in (0, s] after which a push has become a pull, `after` < 0 < `before`: by the rule of false position, with the
 * end that stays weighed by half (Illinois). `at` takes the step and tells the push. The last step that it takes is the one of the result.
 */
export function releaseIn(
  s: number,
  before: number,
  after: number,
  at: (length: number) => number,
): number {
  let [pushes, pulls] = [0, s];
  let [fromPush, fromPull] = [before, after];
  const small = 1e-12 * Math.max(before, -after);
  let last = 0;
  for (let i = 0; i < HALVINGS && pulls - pushes > 1e-11 * s && fromPull < -small; i++) {
    const x = pulls - (fromPull * (pulls - pushes)) / (fromPull - fromPush);
    const push = at(x);
    if (push > 0) {
      [pushes, fromPush] = [x, push];
      if (last > 0) fromPull /= 2;
    } else {
      [pulls, fromPull] = [x, push];
      if (last < 0) fromPush /= 2;
    }
    last = push > 0 ? 1 : -1;
  }
  at(pulls);
  return pulls;
}
