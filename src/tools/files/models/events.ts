// Events of a file as options of `solve`.

import type { BodyState, CompiledModel } from "../../../bodies.js";
import type { EventContext, EventOptions } from "../../../solve.js";
import type { EventEntry } from "../document/document.js";
import type { BodyStateFunction } from "../functions/quantities.js";

/** An event whose formula has been read. */
export function eventOptions(
  event: EventEntry,
  when: BodyStateFunction,
): EventOptions<CompiledModel> {
  const { action, name, direction, terminal, modes } = event;
  return {
    when,
    ...(name !== undefined && { name }),
    ...(direction !== undefined && { direction }),
    ...(terminal !== undefined && { terminal }),
    ...(modes !== undefined && { modes }),
    ...(action !== undefined && { action: actionOf(action, event) }),
  };
}

function actionOf(action: NonNullable<EventEntry["action"]>, { name }: EventEntry) {
  return ({ bounce, switchTo, stop }: EventContext<BodyState>): void => {
    if (action === "stop") stop(name === undefined ? undefined : `event "${name}"`);
    else if (typeof action === "object" && "bounce" in action) bounce(action.bounce);
    else if (typeof action === "object") switchTo(action.switchTo);
  };
}
