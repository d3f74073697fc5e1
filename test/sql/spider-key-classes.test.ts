import { describe, expect, it } from "vitest";
import { spiderKeyClasses } from "../../sql/spider-key-classes.ts";
import { FLIGHT_SCHEMA, flightSchemaWith } from "./flight-schema.ts";

function classesOf(keys: readonly string[]): Record<string, string> {
  return Object.fromEntries(spiderKeyClasses(flightSchemaWith(keys)));
}

describe("spiderKeyClasses", () => {
  it("gives each class the column that comes first in the schema", () => {
    expect(Object.fromEntries(spiderKeyClasses(FLIGHT_SCHEMA))).toEqual({
      "airport.code": "airport.code",
      "flight.source": "airport.code",
      "flight.destination": "airport.code",
      "flight.airline_id": "flight.airline_id",
      "airline.id": "flight.airline_id",
      "flight.flight_no": "flight.flight_no",
      "booking.flight_no": "flight.flight_no",
    });
  });

  it("has no class without keys", () => {
    expect(classesOf([])).toEqual({});
  });

  it("joins a key to the class that has either end of it", () => {
    const keys = ["Booking.Price -> Flight.Price", "Airline.Name -> Booking.Price"];
    expect(classesOf(keys)).toEqual({
      "booking.price": "flight.price",
      "flight.price": "flight.price",
      "airline.name": "flight.price",
    });
  });

  it("joins the first class that fits and never merges two", () => {
    const keys = [
      "Flight.Source -> Airport.Code",
      "Booking.Passenger -> Airline.Name",
      "Booking.Passenger -> Flight.Source",
    ];
    // The third key joins {code, source}; passenger is then in both classes, and the later one counts.
    expect(classesOf(keys)).toEqual({
      "airport.code": "airport.code",
      "flight.source": "airport.code",
      "booking.passenger": "airline.name",
      "airline.name": "airline.name",
    });
  });

  it("depends on the order of the keys", () => {
    const keys = [
      "Booking.Passenger -> Airline.Name",
      "Flight.Source -> Airport.Code",
      "Booking.Passenger -> Flight.Source",
    ];
    // Now the third key joins {passenger, name}, and source is in both; {code, source} is the later class.
    expect(classesOf(keys)).toEqual({
      "airport.code": "airport.code",
      "flight.source": "airport.code",
      "booking.passenger": "flight.source",
      "airline.name": "flight.source",
    });
  });

  it("takes names in any case and passes over keys to what is not there", () => {
    expect(classesOf(["FLIGHT.source -> airport.CODE"])).toEqual({
      "airport.code": "airport.code",
      "flight.source": "airport.code",
    });
    expect(classesOf(["Flight.Source -> Airport.", "Flight.Gate -> Airport.Code", "x.y -> z.w"])).toEqual({});
  });

  it("takes a key to its own column", () => {
    expect(classesOf(["Airline.ID -> Airline.ID"])).toEqual({ "airline.id": "airline.id" });
  });
});
