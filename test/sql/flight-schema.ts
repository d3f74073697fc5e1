import type { DatabaseSchema, ForeignKey } from "../../core/database.ts";

/** A table whose columns have neither types nor comments. */
function table(name: string, columns: readonly string[]): DatabaseSchema["tables"][number] {
  return {
    name,
    comment: "",
    columns: columns.map((column) => ({ name: column, type: "", comment: "", primaryKey: 0 })),
  };
}

/** The key that `from` (`table.column`) has on `to`. */
function key(from: string, to: string): ForeignKey {
  const [fromTable = "", column = ""] = from.split(".");
  const [referencedTable = "", referencedColumn = ""] = to.split(".");
  return { table: fromTable, column, referencedTable, referencedColumn };
}

/** Two columns of `flight` refer to one of `airport`; `country` and `price` are in two tables each. */
export const FLIGHT_SCHEMA: DatabaseSchema = {
  databaseId: "flights",
  tables: [
    table("Airport", ["Code", "City", "Country"]),
    table("Flight", ["Flight_No", "Source", "Destination", "Airline_ID", "Price"]),
    table("Airline", ["ID", "Name", "Country"]),
    table("Booking", ["Flight_No", "Passenger", "Price"]),
  ],
  foreignKeys: [
    key("Flight.Source", "Airport.Code"),
    key("Flight.Destination", "Airport.Code"),
    key("Flight.Airline_ID", "Airline.ID"),
    key("Booking.Flight_No", "Flight.Flight_No"),
  ],
};

/** The same tables under other keys, each written `table.column -> table.column`. */
export function flightSchemaWith(keys: readonly string[]): DatabaseSchema {
  const foreignKeys = keys.map((text) => {
    const [from = "", to = ""] = text.split(" -> ");
    return key(from, to);
  });
  return { ...FLIGHT_SCHEMA, foreignKeys };
}

/** The schema as the parser takes it. */
export const FLIGHT_NAMES = {
  tables: FLIGHT_SCHEMA.tables.map(({ name, columns }) => ({
    name,
    columns: columns.map((one) => one.name),
  })),
};
