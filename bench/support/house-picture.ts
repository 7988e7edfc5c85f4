// docs/pictures/house.svg: the storeys from the ground up, each room with its files, fan-in and fan-out.

import { type House, type Room, type Storey, storeys } from "./house.js";

const WIDTH = 1000;
const COLUMNS = 5;
const GAP = 8;
const LABEL = 150;
const BOX = { width: (WIDTH - LABEL - GAP * (COLUMNS + 1)) / COLUMNS, height: 44 };

/** The picture as SVG text. */
export function housePicture(house: House): string {
  let top = GAP;
  const bands: string[] = [];
  for (const storey of [...storeys].reverse()) {
    const rooms = house.rooms.filter((room) => room.storey === storey.name);
    const height = Math.ceil(rooms.length / COLUMNS) * (BOX.height + GAP) + GAP;
    bands.push(band(storey, rooms, top, height));
    top += height + GAP;
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${top}" font-family="sans-serif">
<title>The storeys of src: imports go down only</title>
<rect width="${WIDTH}" height="${top}" fill="#ffffff"/>
${bands.join("\n")}
</svg>
`;
}

function band(storey: Storey, rooms: readonly Room[], top: number, height: number): string {
  const fill = storey.level % 2 === 0 ? "#e8eef5" : "#f3ede2";
  const boxes = rooms.map((room, i) => box(room, i, top));
  return `<g>
<rect x="${GAP}" y="${top}" width="${WIDTH - 2 * GAP}" height="${height}" rx="4" fill="${fill}"/>
<text x="${2 * GAP}" y="${top + 26}" font-size="16" font-weight="bold" fill="#1f2933">${storey.name}</text>
${boxes.join("\n")}
</g>`;
}

function box(room: Room, place: number, top: number): string {
  const x = LABEL + (place % COLUMNS) * (BOX.width + GAP);
  const y = top + GAP + Math.floor(place / COLUMNS) * (BOX.height + GAP);
  const name = room.name.replace(/^src\//, "").replace(new RegExp(`^${room.storey}/`), "");
  const count = room.files.length === 1 ? "1 file" : `${room.files.length} files`;
  return `<rect x="${x.toFixed(1)}" y="${y}" width="${BOX.width.toFixed(1)}" height="${BOX.height}" rx="3" fill="#ffffff" stroke="#9aa5b1"/>
<text x="${(x + 8).toFixed(1)}" y="${y + 18}" font-size="12" fill="#1f2933">${name}</text>
<text x="${(x + 8).toFixed(1)}" y="${y + 35}" font-size="11" fill="#52606d">${count}, in ${room.fanIn}, out ${room.fanOut}</text>`;
}
