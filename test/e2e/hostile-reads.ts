import { hostile } from "./hostile-statement.ts";
import type { HostileStatement } from "./hostile-statement.ts";

const PRAGMAS = (
  "analysis_limit application_id auto_vacuum automatic_index busy_timeout cache_size cache_spill " +
  "case_sensitive_like cell_size_check checkpoint_fullfsync collation_list compile_options count_changes " +
  "data_store_directory data_version database_list default_cache_size defer_foreign_keys " +
  "empty_result_callbacks encoding foreign_key_check foreign_keys freelist_count full_column_names fullfsync " +
  "function_list hard_heap_limit ignore_check_constraints incremental_vacuum index_xinfo integrity_check " +
  "journal_mode journal_size_limit legacy_alter_table legacy_file_format locking_mode max_page_count " +
  "mmap_size module_list optimize page_count page_size parser_trace pragma_list query_only quick_check " +
  "read_uncommitted recursive_triggers reverse_unordered_selects schema_version secure_delete " +
  "short_column_names shrink_memory soft_heap_limit stats synchronous temp_store temp_store_directory threads " +
  "trusted_schema user_version vdbe_addoptrace vdbe_debug vdbe_listing vdbe_trace wal_autocheckpoint " +
  "wal_checkpoint writable_schema"
).split(" ");

/** PRAGMAs that describe a schema: allowed where it is explored, in the form with one name. */
const EXPLORING = ["table_info", "table_xinfo", "table_list", "foreign_key_list", "index_list", "index_info"];

/** PRAGMAs with a table form: those that return rows. */
const TABLE_FORMS = (
  "database_list function_list module_list pragma_list collation_list compile_options encoding page_count " +
  "page_size journal_mode data_version freelist_count integrity_check quick_check foreign_key_check optimize " +
  "index_xinfo user_version schema_version application_id temp_store cache_size wal_checkpoint query_only"
).split(" ");

const ASSIGNED = [
  "PRAGMA writable_schema = ON",
  "PRAGMA writable_schema(RESET)",
  "PRAGMA query_only = 0",
  "PRAGMA main.journal_mode = WAL",
  "PRAGMA temp_store_directory = '.'",
  "PRAGMA case_sensitive_like = 1",
  "PRAGMA reverse_unordered_selects = 1",
  "PRAGMA mmap_size = 1000000000000",
  "PRAGMA user_version = 7",
  "PRAGMA cache_size(-1000000)",
  "PRAGMA hard_heap_limit = 0",
  "PRAGMA 'user_version' = 7",
  'PRAGMA "user_version" = 7',
  "PRAGMA[user_version]=7",
  "PRAGMA main.table_info = shop",
  "PRAGMA temp.table_info(shop)",
  "PRAGMA table_info(shop, 1)",
  "/* */ PRAGMA -- c\n user_version",
  "\uFEFFPRAGMA user_version",
  ";PRAGMA user_version",
];

const FUNCTIONS = [
  "SELECT load_extension('canary.so')",
  "SELECT load_extension('./canary', 'entry')",
  "SELECT LOAD_EXTENSION('canary.so') FROM shop",
  "SELECT 1 WHERE \"load_extension\"('canary.so') IS NULL",
  "SELECT [load_extension]('canary.so')",
  "SELECT `load_extension`('canary.so')",
  "SELECT/**/load_extension/**/('canary.so')",
  "VALUES (load_extension('canary.so'))",
  "WITH a AS (SELECT load_extension('canary.so')) SELECT * FROM a",
  "SELECT id FROM shop ORDER BY load_extension('canary.so')",
  "SELECT CASE WHEN 0 THEN load_extension('canary.so') END",
  "EXPLAIN SELECT load_extension('canary.so')",
  "SELECT fts3_tokenizer('simple')",
  "SELECT fts3_tokenizer('simple', x'0000000000000000')",
  "SELECT hex(FTS3_TOKENIZER('porter'))",
  "SELECT sqlite_log(1, 'forged')",
  "SELECT * FROM (SELECT id FROM shop) WHERE id IN (SELECT load_extension('x'))",
];

const MISSING = [
  "SELECT readfile('canary.txt')",
  "SELECT writefile('hostile-target', 'x')",
  "SELECT edit('x')",
  "SELECT edit('x', 'touch hostile-target')",
  "SELECT shell_add_schema('x')",
  "SELECT * FROM fsdir('.')",
  "SELECT * FROM zipfile('canary.txt')",
  "SELECT zipfile('a', 'b')",
  "SELECT * FROM csv('canary.txt')",
  "SELECT * FROM vsv",
  "SELECT * FROM lines('canary.txt')",
  "SELECT * FROM completion('S')",
  "SELECT * FROM carray(1, 2)",
  "SELECT * FROM generate_series(1, 1000000000000)",
  "SELECT * FROM sqlite_memstat",
  "SELECT * FROM dbdata('main')",
  "SELECT sqlite_rename_table(1, 2, 3, 4, 5, 6, 7)",
  "SELECT sqlite_rename_column(1, 2, 3, 4, 5, 6, 7, 8, 9)",
  "SELECT sqlite_drop_column(0, 'x', 1)",
  "SELECT sqlite_fail('x', 1)",
  "SELECT eval('DELETE FROM shop')",
  "SELECT system('touch hostile-target')",
  "SELECT http_get('http://127.0.0.1')",
  "SELECT 'a' REGEXP '(a+)+$'",
  "SELECT * FROM other.shop",
  "SELECT * FROM temp.shop",
  "SELECT * FROM 'canary.sqlite'",
  "SELECT * FROM 'canary.sqlite'.secret",
];

const SHAPES = [
  "EXPLAIN EXPLAIN SELECT 1",
  "SELECT 1; DELETE FROM shop",
  "SELECT 1;;DELETE FROM shop",
  "SELECT 1;--\nDELETE FROM shop",
  "SELECT 1;/**/DELETE FROM shop",
  "SELECT 1; \u00A0DELETE FROM shop",
  "SELECT ';'; ATTACH 'canary.sqlite' AS other",
  "; SELECT 1; PRAGMA user_version = 7",
  "SELECT 1 /* ; */ ; DROP TABLE shop",
  "EXPLAIN SELECT 1; DELETE FROM shop",
];

const BROKEN = [
  "DELETE\u00A0FROM shop",
  "\u00A0DELETE FROM shop",
  "\u200BDELETE FROM shop",
  "\u2060ATTACH 'canary.sqlite' AS other",
  "\uFF24\uFF25\uFF2C\uFF25\uFF34\uFF25 FROM shop",
  "DEL\u200BETE FROM shop",
  "DEL/**/ETE FROM shop",
  "DELETE\u0000FROM shop",
  "SELECT 1\u0000; DELETE FROM shop",
  "SELECT 'a\u0000'; DELETE FROM shop",
  "\u0000DELETE FROM shop",
  "\u000BDELETE FROM shop",
  "\u202EDELETE FROM shop",
  "\uD800DELETE FROM shop",
  "SELECT\u00A01",
  "SELECT \u2018a\u2019",
  "(DELETE FROM shop)",
  "((SELECT 1))",
  "SELECT 1 INTO OUTFILE 'hostile-target'",
  "SELECT * INTO extra FROM shop",
  "SELECT 'never closed",
  'SELECT "never closed',
  "SELECT [never closed",
  "SELECT ?",
  "SELECT :name, @name, $name",
  "SELECT ?1000000",
  "SELECT $a::b(c)",
  ".read canary.txt",
  ".shell touch hostile-target",
  "SELECT * FROM (DELETE FROM shop RETURNING id)",
  "SELECT * FROM (INSERT INTO shop VALUES (9, 'a', 1) RETURNING *)",
  "WITH a AS (DELETE FROM shop RETURNING id) SELECT * FROM a",
  "SELECT (ATTACH 'canary.sqlite' AS other)",
  "SELECT * FROM (PRAGMA database_list)",
  "GRANT ALL ON shop TO public",
  "CALL drop_everything()",
  "COPY shop TO 'hostile-target'",
  "LOAD DATA INFILE 'canary.txt' INTO TABLE shop",
  "EXEC xp_cmdshell 'touch hostile-target'",
  "SELECT RAISE(ABORT, 'x')",
  "SELECT abs(-9223372036854775808)",
  "SELECT sum(9223372036854775807) FROM shop",
  "SELECT json('{')",
  "SELECT 1 FROM shop WHERE name MATCH 'x'",
  "SELECT * FROM words WHERE words MATCH '\"'",
  "SELECT * FROM words WHERE words MATCH 'a AND'",
  "SELECT * FROM words('nothing : shop')",
  "SELECT 'x' LIKE 'y' ESCAPE 'too long'",
];

const HARMLESS = [
  "SELECT * FROM sqlite_schema",
  "SELECT sql FROM sqlite_master ORDER BY 1",
  "SELECT last_insert_rowid(), changes(), total_changes()",
  "SELECT sqlite_version(), sqlite_source_id()",
  "SELECT 'DELETE FROM shop; DROP TABLE shop'",
  'SELECT "DELETE FROM shop"',
  "SELECT replace(name, 'a', 'b') FROM shop",
  "SELECT 1 -- ; DELETE FROM shop",
  "SELECT 1 /* ; DELETE FROM shop",
  "EXPLAIN SELECT * FROM shop",
  "EXPLAIN QUERY PLAN SELECT * FROM shop WHERE id = 1",
  "WITH deleted AS (SELECT 1 AS id) SELECT * FROM deleted",
  "SELECT name, pageno FROM dbstat LIMIT 3",
  "SELECT highlight(words, 0, '<', '>'), bm25(words) FROM words WHERE words MATCH 'shop OR other'",
  "SELECT snippet(old_words), offsets(old_words) FROM old_words WHERE old_words MATCH 'shop'",
  "SELECT token FROM fts3tokenize WHERE input = 'a b c'",
  'SELECT * FROM json_tree(\'{"a": [1, {"b": 2}]}\')',
  "SELECT name FROM shop UNION ALL SELECT day FROM sale ORDER BY 1",
  "SELECT * FROM best",
];

/** Statements that read what is not theirs, or only look dangerous. */
export const READS: readonly HostileStatement[] = [
  ...hostile("denied", [
    ...PRAGMAS.map((name) => `PRAGMA ${name}`),
    ...PRAGMAS.map((name) => `EXPLAIN PRAGMA ${name}`),
    ...EXPLORING.map((name) => `EXPLAIN QUERY PLAN PRAGMA ${name}(shop)`),
    ...ASSIGNED,
    ...FUNCTIONS,
    ...SHAPES,
  ]),
  ...hostile("denied|error", [
    ...TABLE_FORMS.map((name) => `SELECT * FROM pragma_${name}`),
    ...TABLE_FORMS.map((name) => `SELECT count(*) FROM PRAGMA_${name.toUpperCase()}('main')`),
    "SELECT * FROM pragma_user_version(7)",
    "SELECT * FROM pragma_case_sensitive_like(1)",
    "SELECT * FROM pragma_writable_schema(1)",
    'SELECT file FROM "pragma_database_list"',
    "SELECT * FROM sqlite_dbpage",
    "SELECT data FROM sqlite_dbpage('main') WHERE pgno = 1",
    "SELECT * FROM [SQLITE_DBPAGE]",
    "SELECT * FROM sqlite_stmt",
    "SELECT * FROM bytecode('SELECT 1')",
    "SELECT * FROM tables_used('SELECT 1')",
  ]),
  ...hostile(
    "denied",
    EXPLORING.map((name) => `PRAGMA ${name}('shop')`),
    { explored: ["ok", "empty"] },
  ),
  ...hostile(
    "denied",
    EXPLORING.map((name) => `SELECT * FROM pragma_${name}('shop')`),
    {
      explored: ["ok", "empty"],
    },
  ),
  ...hostile("error", [...MISSING, ...BROKEN]),
  ...hostile("ok|empty", HARMLESS),
];
