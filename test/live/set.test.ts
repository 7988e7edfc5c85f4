import { describe, expect, it } from "vitest";
import { allSettings, differingBits } from "../../bench/support/live-settings.js";

describe("numbers that are set while a mechanism runs", () => {
  for (const coordinates of ["relative", "maximal"] as const) {
    it.each(allSettings().map((setting) => [setting.name, setting] as const))(
      `%s: as compiled anew, in ${coordinates} coordinates`,
      async (_, setting) => {
        expect(await differingBits(setting, { coordinates }, 7)).toBe(0);
      },
    );
  }
});
