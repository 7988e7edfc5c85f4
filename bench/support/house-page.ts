// The part of docs/ARCHITECTURE.md that is made from the imports.

import { readFileSync } from "node:fs";
import { type House, readHouse, storeys } from "./house.js";
import { housePicture } from "./house-picture.js";
import { markdownTable } from "./markdown-table.js";

export const PAGE = "docs/ARCHITECTURE.md";
export const PICTURE = "docs/pictures/house.svg";

const BEGIN = "<!-- made by `npm run docs` -->";
const END = "<!-- end -->";

/** The page and its picture as they should be. */
export function housePage(): { readonly page: string; readonly picture: string } {
  const house = readHouse();
  const text = readFileSync(PAGE, "utf8");
  const [before, rest] = text.split(BEGIN);
  const after = rest?.split(END)[1];
  if (after === undefined) throw new Error(`${PAGE} has no place for what is made`);
  const page = `${before}${BEGIN}\n\n${tableOf(house)}\n\n${END}${after}`;
  return { page, picture: housePicture(house) };
}

function tableOf({ rooms }: House): string {
  const rows = [...storeys].reverse().map(({ name, about }) => {
    const own = rooms.filter((room) => room.storey === name);
    const files = own.reduce((sum, room) => sum + room.files.length, 0);
    return [name, about, `${own.length}`, `${files}`];
  });
  return markdownTable(["storey", "what", "rooms", "files"], rows);
}
