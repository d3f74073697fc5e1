import { defineSchemaDialect, NO_EXTRAS } from "../../core/schema-dialect.ts";
import { mSchemaText } from "../m-schema-text.ts";

/**
 * M-Schema with what the profile says: rows of each table; of each column its meaning where the dataset gives
 * none, `Foreign Key`, `Has NULLs` or `No NULLs`, its distinct and NULL counts, the types it really stores where
 * they are several, its range, and its most frequent values as examples; and the foreign keys that were inferred,
 * apart. A table of which the profile says nothing is written as in the dialect `m-schema`.
 * The paper names what is observed and not its text. @paper ReToolSQL
 */
export default defineSchemaDialect({
  id: "m-schema-profile",
  version: 1,
  needsProfile: true,
  render: (database, extras = NO_EXTRAS) => mSchemaText(database, extras),
});
