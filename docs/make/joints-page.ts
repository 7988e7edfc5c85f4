import { forces, type JointMethods, joints } from "nodrift/bodies";
import { addExample, freePair } from "../../test/support/joint-cases.js";
import { markdownTable } from "./markdown-table.js";
import { type RecipeText, recipeText } from "./recipe-text.js";

/** The rows of the example of a joint, and its measured quantities. */
function rowsOf(type: keyof JointMethods): { readonly rows: string; readonly measures: string } {
  const pair = freePair();
  addExample(type, pair);
  const { blocks, sensors } = pair.m.data().joints.at(-1)!;
  const rows = blocks.flatMap(({ holonomic, rows: all, user }) =>
    (user?.names ?? all.flatMap(({ names }) => names)).map((name) =>
      holonomic ? name : `${name} (velocity)`,
    ),
  );
  return {
    rows: blocks.some(({ user }) => user) ? "yours" : rows.join(", "),
    measures: Object.keys(sensors).join(", "),
  };
}

function section(name: string, { about, example, options }: RecipeText): string {
  const rows = options.map(({ name: option, type, isNeeded, about: what }) => [
    `\`${option}\``,
    `\`${type.replaceAll("|", "\\|")}\``,
    isNeeded ? "needed" : "",
    what.replaceAll("|", "\\|"),
  ]);
  const table = markdownTable(["option", "type", "", "what it is"], rows);
  return `### ${name}\n\n${about}\n\n\`\`\`ts\n${example}\n\`\`\`\n\n${table}`;
}

/** docs/joints.md: every entry of the registries of joints and forces. A test compares it with the file. */
export function jointsPage(): string {
  const jointTexts = Object.keys(joints).map(
    (name) => [name as keyof JointMethods, recipeText("src/model/joints", name)] as const,
  );
  const forceTexts = Object.keys(forces).map(
    (name) => [name, recipeText("src/model/forces", name)] as const,
  );
  const link = (name: string) => `[\`${name}\`](#${name.toLowerCase()})`;
  return `# Joints and forces

Made from the registries and the comments of their recipes by \`npm run docs\`. Each is a method of \`model()\`, and a type of
the entries "joints" and "forces" of model files, except those that take user functions. \`m\` is a model; points and axes are given in
the world, at the poses given to the bodies. \`at\` and \`axis\` may be omitted between markers, which have their own, and if a joint says so.

A joint removes one degree of freedom per row, unless joints are redundant. Reactions and \`compliance\` are given by the names of rows. Measured
quantities are read as \`joint(name).angle\`, \`.displacement\` or \`.length\`.

${markdownTable(
  ["joint", "what it is", "rows", "measures"],
  jointTexts.map(([name, { summary }]) => {
    const { rows, measures } = rowsOf(name);
    return [link(name), summary, rows, measures];
  }),
)}

${markdownTable(
  ["force", "what it is"],
  [
    ...forceTexts.map(([name, { summary }]) => [link(name), summary]),
    ["`userForce`", "A force by a user function."],
  ],
)}

## Joints

${jointTexts.map(([name, text]) => section(name, text)).join("\n\n")}

## Forces

${forceTexts.map(([name, text]) => section(name, text)).join("\n\n")}
`;
}
