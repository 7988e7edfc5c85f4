import { BodyFrame, ForceKind, MarkerFrame, Sensor } from "../../../../assembly/layout-bodies.js";
import { actsOnSensor, forceMarkers } from "../../../describe/model/kinds.js";
import { type ForceUpdate, GROUND, type MarkerMotion } from "../../../describe/model/model-data.js";
import type { QuantityReader } from "../../../describe/model/quantity-reader.js";
import type { Arena } from "../../../ground/memory/arena.js";
import type { BodySegments } from "../memory/memory.js";
import type { Plan } from "../plan/plan.js";

/** One law that is a function: what it reads, and where it writes. */
interface Bound {
  readonly update: ForceUpdate;
  readonly derive: ForceUpdate | undefined;
  readonly constants: Float64Array;
  readonly motion: readonly MarkerMotion[];
  readonly measured: Float64Array;
  /** Finds length and rate, where no sensor does. */
  readonly measure: (() => void) | undefined;
}

/** Calls the laws that are functions of time and state. */
export class ForceUpdates {
  #bound: readonly Bound[] = [];

  #read!: QuantityReader;

  attach(
    { model, forceSlots }: Plan,
    arena: Arena,
    segments: BodySegments,
    read: QuantityReader,
  ): void {
    this.#read = read;
    const data = arena.floats(segments.data);
    const markers = arena.floats(segments.markers);
    const frames = arena.floats(segments.frames);
    const sensors = arena.floats(segments.sensors);
    const motionOf = (marker: number) => {
      const body = model.markers[marker]?.body ?? GROUND;
      const frame = BodyFrame.LENGTH * (body === GROUND ? model.bodies.length : body);
      const omega = frames.subarray(frame + BodyFrame.OMEGA, frame + BodyFrame.OMEGA + 3);
      return motionAt(markers, marker, omega);
    };
    this.#bound = model.forces.flatMap((force, index) => {
      const { update, derive, kind, constants } = force;
      if (!update) return [];
      const slot = forceSlots[index] as number;
      const motion = forceMarkers(force, model.sensors).map(motionOf);
      const measured = actsOnSensor(force)
        ? sensors.subarray(Sensor.LENGTH * force.a, Sensor.LENGTH * force.a + 2)
        : new Float64Array(2);
      const measure = kind === ForceKind.SPRING ? () => measureLength(motion, measured) : undefined;
      const own = data.subarray(slot, slot + constants.length);
      return [{ update, derive, constants: own, motion, measured, measure }];
    });
  }

  run(t: number): void {
    for (let i = 0; i < this.#bound.length; i++) {
      const { update, constants, motion, measured, measure } = this.#bound[i]!;
      measure?.();
      update(constants, motion, measured, t, this.#read);
    }
  }

  /** Writes the derivatives that laws provide. The laws have been evaluated at this state. */
  derive(t: number): void {
    for (let i = 0; i < this.#bound.length; i++) {
      const { derive, constants, motion, measured } = this.#bound[i]!;
      derive?.(constants, motion, measured, t, this.#read);
    }
  }
}

function motionAt(
  markers: Float64Array,
  marker: number,
  angularVelocity: Float64Array,
): MarkerMotion {
  const base = MarkerFrame.LENGTH * marker;
  const part = (field: MarkerFrame, length: number) =>
    markers.subarray(base + field, base + field + length);
  return {
    point: part(MarkerFrame.POINT, 3),
    velocity: part(MarkerFrame.VELOCITY, 3),
    axes: part(MarkerFrame.AXES, 9),
    angularVelocity,
  };
}

/** |d| and its rate. */
function measureLength(motion: readonly MarkerMotion[], measured: Float64Array): void {
  const [a, b] = motion as [MarkerMotion, MarkerMotion];
  let [square, product] = [0, 0];
  for (let i = 0; i < 3; i++) {
    const d = (b.point[i] as number) - (a.point[i] as number);
    square += d * d;
    product += d * ((b.velocity[i] as number) - (a.velocity[i] as number));
  }
  const length = Math.sqrt(square);
  measured[0] = length;
  measured[1] = length > 0 ? product / length : 0;
}
