import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { commands } from "../../src/cli/commands/index.js";
import { CommandLine } from "../support/command-line.js";

const line = new CommandLine();
const LONG_RUN = ["run", "chain", "--until=5000", "--tolerance=1e-9", "--rate=20"];

beforeAll(() => line.installed());
afterAll(() => line.remove());

describe("help", () => {
  test("describes all commands and each of them", async () => {
    const { code, out } = await line.nodrift(["--help"]);
    expect(code).toBe(0);
    for (const name of Object.keys(commands)) {
      expect(out).toMatch(new RegExp(`^ {2}${name} `, "m"));
      const own = await line.nodrift([name, "--help"]);
      expect(own.code).toBe(0);
      expect(own.out).toContain(`nodrift ${name}`);
      expect(own.out).toContain("Examples:");
      expect(own.out.split("\n").every((row) => row.length <= 120)).toBe(true);
    }
    expect((await line.nodrift(["help", "run"])).out).toContain("--tolerance");
  });

  test("exits with a usage error if the command is missing", async () => {
    const { code, out, err } = await line.nodrift([]);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain("Commands:");
  });

  test("prints the version", async () => {
    const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
    expect((await line.nodrift(["--version"])).out).toBe(`${version}\n`);
  });
});

describe("mistakes", () => {
  test.each([
    [["runn", "pendulum"], 2, "unknown command"],
    [["run"], 2, "MODEL is missing"],
    [["run", "pendulum", "double-pendulum"], 2, 'unexpected argument "double-pendulum"'],
    [["run", "pendulum", "--tolerence", "1e-3"], 2, "did you mean --tolerance?"],
    [["run", "pendulum", "--tolerance"], 2, "needs a value"],
    [["run", "pendulum", "--tolerance", "small"], 2, 'must be a number, not "small"'],
    [["run", "pendulum", "--tolerance=-1"], 2, "must be positive"],
    [["run", "pendulum", "--quiet=yes"], 2, "takes no value"],
    [["run", "pendulum", "--formats", "pdf"], 2, "is not one of html, csv, json"],
    [["run", "pendulum", "--method", "dop854"], 2, "did you mean dop853?"],
    [["run", "pendulum", "--method", "rk4"], 2, "give --step"],
    [["linearize", "pendulum"], 2, "did you mean check?"],
    [["help", "rnu"], 2, "did you mean run?"],
    [["run", "pendulun"], 4, "did you mean pendulum?"],
    [["run", "nowhere/model.json"], 4, "file nowhere/model.json not found"],
    [["run", "node_modules"], 4, "is a folder"],
    [["compare", "pendulum", "--methods", "dop853,,dp5"], 2, "a name is missing"],
    [["reproduce", "table-9"], 2, 'unknown table "table-9"'],
    [["bench", "nothing"], 2, "no benchmark matches"],
    [["examples", "unicycle"], 2, "unknown example"],
    [["--tolerance", "1e-3"], 2, "options follow the command"],
  ])("%j gives %i", async (args, expected, words) => {
    const { code, out, err } = await line.nodrift(args);
    expect(err).toContain(words);
    expect(err).not.toMatch(/\n\s+at /);
    expect(code).toBe(expected);
    // Other memory needs of a run are known once the model has been read.
    expect(out.split("\n").length).toBeLessThan(3);
  });

  test("lists all problems of a file with their lines", async () => {
    line.write({
      "broken.json": readFileSync("examples/pendulum.json", "utf8")
        .replace('"mass"', '"maas"')
        .replace('"revolute"', '"revolut"'),
    });
    const { code, err } = await line.nodrift(["check", "broken.json"]);
    expect(code).toBe(3);
    expect(err).toContain("2 problems");
    expect(err).toMatch(/line \d+:\d+, \/bodies\/0\/maas: .*did you mean mass\?/);
    expect(err).toMatch(/line \d+:\d+, \/joints\/0\/type: .*did you mean "revolute"\?/);
  });

  test("exits with 1 if a run fails, and keeps partial results", async () => {
    const args = ["run", "pendulum", "--max-steps=5", "--out=short"];
    const { code, out } = await line.nodrift(args);
    expect(code).toBe(1);
    expect(out).toContain("maximumSteps");
    expect(existsSync(join(line.folder, "short/report.html"))).toBe(true);
  });
});

describe("terminals", () => {
  test("show a bar with time, step, speed and remaining time, and a coloured summary", async () => {
    const args = ["run", "chain", "--until=20", "--tolerance=1e-7", "--formats=none"];
    const { code, out } = await line.nodrift(args, { terminal: true });
    expect(code).toBe(0);
    expect(out).toMatch(/\d+%\s+t = [\d.]+\s+step [\d.e-]+\s+[\d.]+ steps\/s\s+[\d.]+ \w+ left/);
    expect(out).toContain("\u001b[32m");
    // The cursor is shown again.
    expect(out.lastIndexOf("\u001b[?25h")).toBeGreaterThan(out.lastIndexOf("\u001b[?25l"));
  });

  test("show no colours if NO_COLOR is set", async () => {
    const env = { NO_COLOR: "1" };
    const args = ["run", "pendulum", "--formats=none", "--quiet"];
    expect((await line.nodrift(args, { terminal: true, env })).out).not.toContain("\u001b[3");
    const loud = await line.nodrift(args.slice(0, -1), { terminal: true, env });
    expect(loud.out).not.toContain("\u001b[32m");
  });

  test("pipes see neither bar nor colours", async () => {
    const { out, err } = await line.nodrift(["run", "chain", "--formats=none"]);
    expect(err).toBe("");
    expect(out).not.toContain("\u001b");
    expect(out).toContain("finished");
  });

  test("pipes may be closed early", async () => {
    const script = "set -o pipefail; node_modules/.bin/nodrift examples | head -n 1";
    expect(await line.run("bash", "-c", script)).toContain("bennett");
  });
});

describe("Ctrl-C", () => {
  test("stops the run and keeps partial results", async () => {
    let isTyped = false;
    const { code, out } = await line.nodrift([...LONG_RUN, "--out=stopped"], {
      terminal: true,
      watch: (printed, { type }) => {
        if (isTyped || !/ [1-9]\d* steps\/s|t = 0\.\d/.test(printed)) return;
        isTyped = true;
        type("\u0003");
      },
    });
    expect(code).toBe(130);
    expect(out).toContain("aborted");
    const { times, status } = JSON.parse(
      readFileSync(join(line.folder, "stopped/solution.json"), "utf8"),
    ) as { times: number[]; status: string };
    expect(status).toBe("aborted");
    expect(times.length).toBeGreaterThan(0);
    // The page is written last. On a busy machine there may be no time for it, which is then reported.
    const isWritten = existsSync(join(line.folder, "stopped/report.html"));
    expect(isWritten || /not written in time: .*report\.html/.test(out)).toBe(true);
  });

  test("ends the program immediately when pressed twice", async () => {
    const { code } = await line.nodrift(LONG_RUN, {
      watch: (printed, { signal }) => {
        if (!printed.includes("bodies")) return;
        setTimeout(() => signal("SIGINT"), 300);
        setTimeout(() => signal("SIGINT"), 310);
      },
    });
    // No code: by the signal itself, where a loaded machine did not end the thread in time.
    expect(code ?? 130).toBe(130);
  });
});
