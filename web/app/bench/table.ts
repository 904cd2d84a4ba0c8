import type { Service } from "../e2e/service.ts";

const batch = 100; // records that a request may create
const workers = 4;

const kinds = ["Tree", "Herb", "Shrub", "Fern", "Moss"];

/** Returns the name of a row, which the measurements look for in the grid. */
export const nameOf = (index: number) => `Plant ${String(index + 1).padStart(6, "0")}`;

export async function call<T>(service: Service, method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(`${service.baseUrl}/api/v1${path}`, {
    method,
    headers: { "x-api-key": service.apiKey, "Content-Type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const result = (await response.json()) as T & { detail?: string };
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${result.detail ?? ""}`);
  return result;
}

/**
 * Creates a base with one table of many rows over REST. Returns their ids and how long creating the
 * rows took, in seconds.
 */
export async function load(
  service: Service,
  rows: number,
): Promise<{ baseId: string; tableId: string; seconds: number }> {
  const base = await call<{ id: string }>(service, "POST", "/bases", {
    name: "Botanical garden",
    orgId: service.orgId,
  });
  const table = await call<{ id: string }>(service, "POST", `/bases/${base.id}/tables`, {
    name: "Plants",
    fields: [
      { name: "Name", type: "text" },
      { name: "Height", type: "number", config: { precision: 1 } },
      { name: "Kind", type: "single_select", config: { options: kinds } },
      { name: "Planted", type: "date" },
      { name: "Alive", type: "checkbox" },
      { name: "Price", type: "currency", config: { symbol: "£", precision: 2 } },
      { name: "Uses", type: "multi_select", config: { options: ["Food", "Dye", "Timber", "Medicine"] } },
      { name: "Vigour", type: "rating" },
      { name: "Note", type: "long_text" },
      { name: "Seen", type: "datetime" },
      { name: "Web", type: "url" },
      { name: "Mail", type: "email" },
      { name: "Share", type: "percent" },
      { name: "Care", type: "duration" },
      { name: "Phone", type: "phone" },
      { name: "Bed", type: "number" },
      { name: "Latin", type: "text" },
      { name: "Light", type: "single_select", config: { options: ["Sun", "Half", "Shade"] } },
      { name: "Moved", type: "date" },
      { name: "Double", type: "formula", config: { formula: "{Height} * 2" } },
    ],
  });
  const began = performance.now();
  let next = 0;
  const worker = async () => {
    while (next < rows) {
      const start = next;
      next += batch;
      const records = Array.from({ length: Math.min(batch, rows - start) }, (_, index) => ({
        fields: plant(start + index),
      }));
      await call(service, "POST", `/tables/${table.id}/records`, { records });
    }
  };
  // The first batch is sent alone, so that the first row is the one that the measurements look for.
  const first = Array.from({ length: batch }, (_, index) => ({ fields: plant(index) }));
  next = batch;
  await call(service, "POST", `/tables/${table.id}/records`, { records: first });
  await Promise.all(Array.from({ length: workers }, worker));
  return { baseId: base.id, tableId: table.id, seconds: (performance.now() - began) / 1000 };
}

function plant(index: number) {
  return {
    Name: nameOf(index),
    Height: ((index * 37) % 3000) / 10,
    Kind: kinds[index % kinds.length],
    Planted: `20${String(index % 24).padStart(2, "0")}-${String((index % 12) + 1).padStart(2, "0")}-15`,
    Alive: index % 3 === 0,
    Price: (index % 997) + 0.5,
    Uses: index % 2 === 0 ? ["Food", "Medicine"] : ["Timber"],
    Vigour: (index % 5) + 1,
    Note: `Bed ${index % 211}, beside the ${kinds[(index * 7) % kinds.length]?.toLowerCase()} of row ${index}`,
    Web: `https://example.org/plants/${index}`,
    Mail: `garden${index % 313}@example.org`,
    Share: (index % 100) / 100,
    Care: (index % 240) * 60,
    Phone: `+31 20 555 ${String(index % 10_000).padStart(4, "0")}`,
    Bed: index % 211,
    Latin: `Planta ${["alba", "rubra", "minor", "major"][index % 4]} ${index % 977}`,
    Light: ["Sun", "Half", "Shade"][index % 3],
    Moved: `2025-${String((index % 12) + 1).padStart(2, "0")}-20`,
    Seen: `2026-0${(index % 9) + 1}-11T08:${String(index % 60).padStart(2, "0")}:00Z`,
  };
}
