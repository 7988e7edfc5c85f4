import { describe, expect, it } from "vitest";
import { allSettings, differingBits } from "../support/live-settings.js";

describe("simulation.set", () => {
  for (const coordinates of ["relative", "maximal"] as const) {
    it.each(allSettings().map((setting) => [setting.name, setting] as const))(
      `%s: matches a fresh compilation, in ${coordinates} coordinates`,
      async (_, setting) => {
        expect(await differingBits(setting, { coordinates }, 7)).toBe(0);
      },
    );
  }
});
