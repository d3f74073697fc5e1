import type { SpiderSchema } from "../../sql/spider-names.ts";

/** A small schema in mixed case; `name` is in two tables. */
export const CONCERT_SCHEMA: SpiderSchema = {
  tables: [
    { name: "Singer", columns: ["Singer_ID", "Name", "Country", "Age"] },
    { name: "concert", columns: ["concert_id", "name", "stadium_id", "year"] },
    { name: "singer_in_concert", columns: ["concert_id", "singer_id"] },
  ],
};
