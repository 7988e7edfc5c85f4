// Scheme (43) of Welch et al. 2007 as an independent program, directly from the printed equations: three links in
// space, tables of Haug 1989 (9.4) for Phi_r and Phi_pi, rotations by quaternions as products. It imports nothing.

type Numbers = readonly number[];

/** A link: centre, quaternion, velocity, angular velocity in its own axes. */
export interface Link {
  readonly r: Numbers;
  readonly e: Numbers;
  readonly u: Numbers;
  readonly w: Numbers;
}

const LENGTHS = [1, 2, 2.5];
const MASS = LENGTHS.map((l) => 1000 * (l / 10) ** 2 * l);
const INERTIA = LENGTHS.map((l, i) => {
  const across = (MASS[i]! * (l * l + (l / 10) ** 2)) / 12;
  return [across, across, (MASS[i]! * 2 * (l / 10) ** 2) / 12];
});
const FORCE = [-5, -5 * Math.SQRT2, -5];
const SIZE = 18;

const sum = (a: Numbers, k: number, b: Numbers) => a.map((x, i) => x + k * b[i]!);
const tilde = ([x, y, z]: Numbers) => [
  [0, -z!, y!],
  [z!, 0, -x!],
  [-y!, x!, 0],
];
const product = (m: readonly Numbers[], n: readonly Numbers[]) =>
  m.map((row) => n[0]!.map((_, j) => row.reduce((total, x, k) => total + x * n[k]![j]!, 0)));
const apply = (m: readonly Numbers[], x: Numbers) =>
  product(
    m,
    x.map((value) => [value]),
  ).flat();
const across = (a: Numbers, b: Numbers) => apply(tilde(a), b);

/** Hamilton's product. */
function hamilton([a, x, y, z]: Numbers, [b, p, q, r]: Numbers): number[] {
  return [
    a! * b! - x! * p! - y! * q! - z! * r!,
    a! * p! + x! * b! + y! * r! - z! * q!,
    a! * q! - x! * r! + y! * b! + z! * p!,
    a! * r! + x! * q! - y! * p! + z! * b!,
  ];
}

const unit = (e: Numbers) => e.map((x) => x / Math.hypot(...e));

/** A = (2 e0^2 - 1) I + 2 (e e^T + e0 e~), Haug eq. 9.3.20. */
function matrixOf([e0, ...e]: Numbers): number[][] {
  const spin = tilde(e);
  return e.map((x, i) =>
    e.map((y, j) => 2 * (x * y + e0! * spin[i]![j]!) + (i === j ? 2 * e0! * e0! - 1 : 0)),
  );
}

/** e' = G(w) e is half the product e w. (I - k G) x = y: x = y (1 - k w / 2)^-1, the inverse by the conjugate. */
function implicitly(y: Numbers, w: Numbers, k: number): number[] {
  const half = w.map((x) => (k * x) / 2);
  const square = 1 + half.reduce((total, x) => total + x * x, 0);
  return hamilton(y, [1, ...half]).map((x) => x / square);
}

const end = (i: number, sign: number) => [0, 0, (sign * LENGTHS[i]!) / 2];
/** Points that coincide: body and sign of the end, minus body and sign. */
const BALLS = [
  [[0, 1]],
  [
    [1, 1],
    [0, -1],
  ],
  [
    [2, 1],
    [1, -1],
  ],
];
const AXIS = [1, 0, 0];
const CROSSES = [
  [0, 1, 0],
  [0, 0, 1],
];

function phi(r: readonly Numbers[], e: readonly Numbers[]): number[] {
  const A = e.map(matrixOf);
  const balls = BALLS.flatMap((pair) =>
    pair.reduce(
      (total, [body, sign], k) =>
        sum(total, k === 0 ? 1 : -1, sum(r[body!]!, 1, apply(A[body!]!, end(body!, sign!)))),
      [0, 0, 0] as Numbers,
    ),
  );
  const a = apply(A[2]!, AXIS);
  const pins = CROSSES.map((s) => apply(A[1]!, s).reduce((total, x, i) => total + x * a[i]!, 0));
  return [...balls, ...pins];
}

/** [Phi_r, Phi_pi]: of a point I and -A s~, of perpendicular directions -b^T A a~ and -a^T B b~. */
function jacobian(e: readonly Numbers[]): number[][] {
  const A = e.map(matrixOf);
  const rows: number[][] = [];
  for (const pair of BALLS) {
    const three = [0, 1, 2].map(() => new Array<number>(SIZE).fill(0));
    for (const [k, [body, sign]] of pair.entries()) {
      const factor = k === 0 ? 1 : -1;
      const turn = product(A[body!]!, tilde(end(body!, sign!)));
      for (const [i, row] of three.entries()) {
        row[3 * body! + i] = factor;
        for (let j = 0; j < 3; j++) row[9 + 3 * body! + j] = -factor * turn[i]![j]!;
      }
    }
    rows.push(...three);
  }
  for (const s of CROSSES) {
    const [a, b] = [apply(A[1]!, s), apply(A[2]!, AXIS)];
    const row = new Array<number>(SIZE).fill(0);
    const [first, second] = [
      product([b], product(A[1]!, tilde(s))),
      product([a], product(A[2]!, tilde(AXIS))),
    ];
    for (let j = 0; j < 3; j++) {
      row[12 + j] = -first[0]![j]!;
      row[15 + j] = -second[0]![j]!;
    }
    rows.push(row);
  }
  return rows;
}

/** x of a symmetric positive definite matrix, by L D L^T. */
function solve(matrix: readonly Numbers[], right: Numbers): number[] {
  const L = matrix.map((row) => [...row]);
  const x = [...right];
  const n = x.length;
  for (let j = 0; j < n; j++) {
    for (let i = j + 1; i < n; i++) {
      const factor = L[i]![j]! / L[j]![j]!;
      for (let k = j + 1; k <= i; k++) L[i]![k]! -= factor * L[k]![j]!;
      x[i]! -= factor * x[j]!;
    }
  }
  for (let j = n - 1; j >= 0; j--) {
    for (let i = j + 1; i < n; i++) x[j]! -= L[i]![j]! * x[i]!;
    x[j]! /= L[j]![j]!;
  }
  return x;
}

/** Velocities after h: eqs. 29 and 31, with the multipliers of eq. 42 or 21 for `constraint`. */
function turned(
  links: readonly Link[],
  J: readonly Numbers[],
  spins: readonly Numbers[],
  constraint: Numbers,
  h: number,
) {
  const weight = [...MASS.flatMap((m) => [m, m, m]), ...INERTIA.flat()];
  const torques = spins.map((w, i) =>
    across(
      w,
      w.map((x, k) => x * INERTIA[i]![k]!),
    ),
  );
  const free = [...MASS.flatMap((m) => FORCE.map((x) => m * x)), ...torques.flat().map((x) => -x)];
  const given = free.map((x, i) => x / weight[i]!);
  const matrix = J.map((row) =>
    J.map((other) => row.reduce((total, x, i) => total + (x * other[i]!) / weight[i]!, 0)),
  );
  const lambda = solve(matrix, sum(constraint, 1, apply(J, given)));
  const before = [...links.flatMap(({ u }) => u), ...links.flatMap(({ w }) => w)];
  const after = before.map((x, i) => {
    const reaction = J.reduce((total, row, k) => total + row[i]! * lambda[k]!, 0);
    return x + h * given[i]! - (h * reaction) / weight[i]!;
  });
  const three = (first: number) => (_: Link, i: number) =>
    after.slice(first + 3 * i, first + 3 * i + 3);
  return { u: links.map(three(0)), w: links.map(three(9)) };
}

function step(links: readonly Link[], h: number): Link[] {
  const list = (key: keyof Link) => links.map((link) => link[key]);
  const [r, e, u, w] = [list("r"), list("e"), list("u"), list("w")];
  const now = jacobian(e);
  const rate = apply(now, [...u.flat(), ...w.flat()]);
  const p = turned(
    links,
    now,
    w,
    phi(r, e).map((x, i) => x / (h * h) + rate[i]! / h),
    h,
  );
  const rp = r.map((x, i) => sum(x, h, p.u[i]!));
  const ep = e.map((x, i) => unit(implicitly(x, p.w[i]!, h)));
  const mean = (a: readonly Numbers[], b: readonly Numbers[]) =>
    a.map((x, i) => x.map((value, k) => (value + b[i]![k]!) / 2));
  const half = jacobian(mean(e, ep));
  const back = [...u.map((x, i) => sum(x, -1, p.u[i]!)), ...w.map((x, i) => sum(x, -1, p.w[i]!))];
  const rest = apply(half, back.flat());
  const constraint = phi(rp, ep).map((x, i) => (2 * x) / (h * h) + (2 * rest[i]!) / h);
  const next = turned(links, half, mean(w, p.w), constraint, h);
  const [um, wm] = [mean(u, next.u), mean(w, next.w)];
  return links.map((link, i) => {
    // e + h/4 e w: the explicit half of eq. 32.
    const explicit = hamilton(link.e, [1, ...wm[i]!.map((x) => (h * x) / 4)]);
    const en = unit(implicitly(explicit, wm[i]!, h / 2));
    return { r: sum(link.r, h, um[i]!), e: en, u: next.u[i]!, w: next.w[i]! };
  });
}

/** The three links after a number of steps from rest along -z. */
export function scheme43(h: number, steps: number): readonly Link[] {
  let height = 0;
  let links: readonly Link[] = LENGTHS.map((length) => {
    height -= length;
    return { r: [0, 0, height + length / 2], e: [1, 0, 0, 0], u: [0, 0, 0], w: [0, 0, 0] };
  });
  for (let k = 0; k < steps; k++) links = step(links, h);
  return links;
}
