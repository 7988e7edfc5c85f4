// Reference motion of one coordinate, exact to rounding: the modified midpoint rule
// extrapolated to step zero (Gragg; Hairer, Norsett and Wanner, Solving ODEs I, section II.9). The change
// over an interval is extrapolated, and the changes are added up with compensation
// (Kahan): a plain sum would be off by 2e-9 after 1000 s.

/** angle'' as a function of angle and its rate. */
export type Acceleration = (angle: number, rate: number) => number;

type Change = readonly [angle: number, rate: number];

/** Substeps of the columns: with eight of them the order is 16. */
const SUBSTEPS = [2, 4, 6, 8, 10, 12, 14, 16] as const;

/** The angle at 0, interval, 2 interval, ... (count + 1 values). */
export function referenceMotion(
  acceleration: Acceleration,
  angle: number,
  rate: number,
  interval: number,
  count: number,
): Float64Array {
  const angles = new Float64Array(count + 1);
  const [q, v] = [new CompensatedSum(angle), new CompensatedSum(rate)];
  const table = SUBSTEPS.map((): Change => [0, 0]);
  angles[0] = angle;
  for (let i = 1; i <= count; i++) {
    for (const [k, substeps] of SUBSTEPS.entries()) {
      table[k] = change(acceleration, q, v, interval, substeps);
      for (let j = k - 1; j >= 0; j--) {
        const weight = 1 / ((substeps / (SUBSTEPS[j] as number)) ** 2 - 1);
        const [coarse, fine] = [table[j] as Change, table[j + 1] as Change];
        table[j] = [
          fine[0] + (fine[0] - coarse[0]) * weight,
          fine[1] + (fine[1] - coarse[1]) * weight,
        ];
      }
    }
    const [ofAngle, ofRate] = table[0] as Change;
    q.add(ofAngle);
    v.add(ofRate);
    angles[i] = q.value;
  }
  return angles;
}

/** A sum that compensates its rounding errors. */
class CompensatedSum {
  lost = 0;
  constructor(public value: number) {}

  add(term: number): void {
    const corrected = term + this.lost;
    const sum = this.value + corrected;
    this.lost = corrected - (sum - this.value);
    this.value = sum;
  }
}

/** Change of angle and rate over an interval by the midpoint rule. */
function change(
  acceleration: Acceleration,
  q: CompensatedSum,
  v: CompensatedSum,
  interval: number,
  substeps: number,
): Change {
  const h = interval / substeps;
  const rateOf = (dv: number) => v.value + (v.lost + dv);
  const accelerationOf = (dq: number, dv: number) =>
    acceleration(q.value + (q.lost + dq), rateOf(dv));
  let [q0, v0] = [0, 0];
  let [q1, v1] = [h * rateOf(0), h * accelerationOf(0, 0)];
  for (let i = 1; i < substeps; i++) {
    const [q2, v2] = [q0 + 2 * h * rateOf(v1), v0 + 2 * h * accelerationOf(q1, v1)];
    [q0, v0, q1, v1] = [q1, v1, q2, v2];
  }
  return [q1, v1];
}
