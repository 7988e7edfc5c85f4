import { hong, welch } from "../../../src/index.js";
import { measuredOrder, orderSystems } from "../experiments/order-systems.js";
import { ThreeLinks } from "../experiments/three-links.js";
import { checked, distance } from "../judging/entries.js";
import { type Entry, reproduction } from "../judging/reproduction.js";

const { dampedBowl, dampedWave, movingWire, dampedSleigh } = orderSystems;
/** Accepted deviation of an order. */
const MARGIN = 0.1;
const NOTE =
  "The predictor lacks gamma: velocities at half the step, and all that depends on them, are " +
  "wrong by O(dt). A second pass puts that right.";

export const welchOrders = reproduction({
  name: "welch-orders",
  paper: "Welch et al. 2007",
  title:
    "Orders of schemes (43) and (44): as printed, with a second corrector pass, and of first order",
  notes: [
    "As printed, the scheme is of second order only where nothing depends on velocities, as in " +
      "the plane examples of the paper.",
    "The systems are our own, but for the three links: masses vary, forces depend on velocities, " +
      "constraints on time. The paper prints no orders for them; it calls its schemes of second and first order.",
  ],
  seconds: 3,
  async *measure() {
    const once = measuredOrder(dampedBowl, { coupled: welch({ passes: 1 }) });
    yield firstInsteadOfSecond("one pass, positions of a damped bowl", once.position);
    for (const system of [dampedBowl, dampedWave, movingWire, dampedSleigh]) {
      const { name } = system.equations;
      const twice = measuredOrder(system, { coupled: welch() });
      yield order(`two passes, positions of a ${name}`, 2, twice.position);
      yield order(`two passes, velocities of a ${name}`, 2, twice.velocity);
      const low = measuredOrder(system, { coupled: hong() });
      yield order(`first-order scheme, positions of a ${name}`, 1, low.position);
    }
    const links = await ThreeLinks.compile();
    const quantity = "position of the third link of table 3";
    yield firstInsteadOfSecond(`one pass, ${quantity}`, links.order(welch({ passes: 1 })));
    yield order(`two passes, ${quantity}`, 2, links.order(welch()));
  },
});

function order(quantity: string, reference: number, value: number, note?: string): Entry {
  const measured = { quantity: `order, ${quantity}`, reference, value };
  return checked({ ...measured, ...(note !== undefined && { note }) }, distance(MARGIN));
}

function firstInsteadOfSecond(quantity: string, value: number): Entry {
  return order(quantity, 1, value, NOTE);
}
