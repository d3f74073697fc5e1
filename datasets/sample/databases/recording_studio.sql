-- A recording studio: artists, rooms, engineers, booked sessions, the tracks they made and the instruments in the house.
BEGIN;

CREATE TABLE artists (
  artist_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  genre TEXT NOT NULL,
  country TEXT,
  formed_year INTEGER
);

CREATE TABLE rooms (
  room_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  floor_area_m2 REAL NOT NULL,
  hourly_rate REAL NOT NULL,
  has_piano TEXT NOT NULL
);

CREATE TABLE engineers (
  engineer_id INTEGER PRIMARY KEY,
  full_name TEXT NOT NULL,
  specialty TEXT NOT NULL,
  started_on DATE NOT NULL,
  hourly_fee REAL NOT NULL
);

CREATE TABLE sessions (
  session_id INTEGER PRIMARY KEY,
  artist_id INTEGER NOT NULL,
  room_id INTEGER NOT NULL,
  engineer_id INTEGER,
  session_date DATE NOT NULL,
  hours REAL NOT NULL,
  payment_status TEXT NOT NULL,
  FOREIGN KEY (artist_id) REFERENCES artists (artist_id),
  FOREIGN KEY (room_id) REFERENCES rooms (room_id),
  FOREIGN KEY (engineer_id) REFERENCES engineers (engineer_id)
);

CREATE TABLE tracks (
  track_id INTEGER PRIMARY KEY,
  session_id INTEGER NOT NULL,
  title TEXT NOT NULL,
  duration_seconds INTEGER NOT NULL,
  bpm INTEGER,
  takes INTEGER NOT NULL,
  catalogue_number TEXT NOT NULL,
  FOREIGN KEY (session_id) REFERENCES sessions (session_id)
);

CREATE TABLE instruments (
  instrument_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  family TEXT NOT NULL,
  room_id INTEGER,
  value_eur REAL NOT NULL,
  bought_on DATE NOT NULL,
  FOREIGN KEY (room_id) REFERENCES rooms (room_id)
);

INSERT INTO artists VALUES
  (1, 'The Tin Kites', 'folk', 'Ireland', 2009),
  (2, 'Marisol Vega', 'jazz', 'Spain', 2014),
  (3, 'D''Arcy & Daughters', 'folk', 'England', 1998),
  (4, 'Kobold', 'metal', 'Germany', 2003),
  (5, 'Ewa Łuna', 'electronic', 'Poland', 2016),
  (6, 'Night Bus Choir', 'choral', 'England', 2011),
  (7, 'Bluebottle', 'rock', 'Scotland', 2003),
  (8, 'Solène & the Tide', 'jazz', 'France', 2018),
  (9, 'Paper Lanterns', 'rock', 'England', 2015),
  (10, 'Grit Parade', 'metal', 'Sweden', 2019),
  (11, 'Oud Street', 'folk', NULL, 2012),
  (12, 'Vanta', 'electronic', 'Germany', 2020),
  (13, 'The Long Wait', 'rock', 'Ireland', NULL),
  (14, 'Copper Jane', 'country', 'England', 2021);

INSERT INTO rooms VALUES
  (1, 'The Barn', 120.0, 95.0, 'yes'),
  (2, 'Glass Room', 45.5, 60.0, 'yes'),
  (3, 'Cellar', 30.0, 38.5, 'no'),
  (4, 'Booth A', 9.0, 20.0, 'no'),
  (5, 'Booth B', 9.0, 20.0, 'no');

INSERT INTO engineers VALUES
  (1, 'Hal Brightman', 'mixing', '2008-04-14', 55.0),
  (2, 'Inés Duarte', 'tracking', '2013-09-02', 48.0),
  (3, 'Shay O''Neill', 'mastering', '2005-01-24', 62.5),
  (4, 'Kofi Mensah', 'tracking', '2019-06-17', 42.0),
  (5, 'Greta Lund', 'mixing', '2016-11-28', 48.0),
  (6, 'Theo Marsh', 'tracking', '2022-03-07', 35.0),
  (7, 'Anouk Visser', 'mastering', '2023-10-09', 40.0);

INSERT INTO sessions VALUES
  (1, 8, 3, 4, '2023-01-12', 8.0, 'paid'),
  (2, 1, 2, 4, '2023-01-16', 2.0, 'paid'),
  (3, 2, 4, 4, '2023-01-23', 4.5, 'paid'),
  (4, 10, 2, 1, '2023-01-26', 6.0, 'paid'),
  (5, 8, 2, NULL, '2023-01-27', 5.0, 'paid'),
  (6, 11, 3, 5, '2023-02-08', 4.0, 'paid'),
  (7, 6, 1, 2, '2023-02-13', 6.0, 'open'),
  (8, 5, 3, 2, '2023-02-14', 8.0, 'paid'),
  (9, 10, 3, 1, '2023-03-27', 6.0, 'open'),
  (10, 8, 3, 1, '2023-04-03', 3.0, 'paid'),
  (11, 6, 1, 2, '2023-04-12', 3.0, 'paid'),
  (12, 1, 3, 4, '2023-04-14', 8.0, 'waived'),
  (13, 7, 1, 5, '2023-04-23', 8.0, 'waived'),
  (14, 7, 2, 2, '2023-04-30', 8.0, 'paid'),
  (15, 10, 3, 4, '2023-05-13', 3.0, 'paid'),
  (16, 7, 4, 5, '2023-05-21', 8.0, 'paid'),
  (17, 2, 1, 5, '2023-05-31', 6.0, 'paid'),
  (18, 9, 1, 2, '2023-06-07', 5.0, 'paid'),
  (19, 2, 4, 4, '2023-06-25', 4.0, 'paid'),
  (20, 4, 1, 6, '2023-07-01', 2.0, 'paid'),
  (21, 1, 3, 4, '2023-07-09', 5.0, 'paid'),
  (22, 2, 3, 1, '2023-07-12', 5.0, 'paid'),
  (23, 11, 1, 2, '2023-08-12', 5.0, 'paid'),
  (24, 5, 3, NULL, '2023-08-16', 4.5, 'paid'),
  (25, 12, 4, 4, '2023-08-20', 6.0, 'paid'),
  (26, 6, 1, 1, '2023-08-28', 2.0, 'paid'),
  (27, 4, 3, 1, '2023-09-06', 5.0, 'paid'),
  (28, 1, 4, 4, '2023-09-09', 8.0, 'paid'),
  (29, 6, 1, NULL, '2023-09-10', 5.0, 'paid'),
  (30, 9, 3, 2, '2023-09-25', 3.0, 'paid'),
  (31, 2, 2, 2, '2023-10-11', 6.0, 'paid'),
  (32, 9, 1, 2, '2023-10-15', 4.0, 'paid'),
  (33, 9, 2, 2, '2023-10-24', 8.0, 'paid'),
  (34, 10, 3, 1, '2023-10-27', 3.0, 'waived'),
  (35, 4, 4, 2, '2023-11-14', 6.0, 'paid'),
  (36, 6, 1, NULL, '2023-11-28', 8.0, 'open'),
  (37, 1, 2, 4, '2024-01-30', 2.0, 'paid'),
  (38, 9, 2, NULL, '2024-01-30', 2.0, 'open'),
  (39, 3, 3, 1, '2024-02-29', 3.0, 'paid'),
  (40, 6, 1, 5, '2024-03-08', 4.0, 'paid'),
  (41, 1, 1, 4, '2024-03-15', 2.0, 'paid'),
  (42, 11, 2, 1, '2024-03-21', 4.0, 'paid'),
  (43, 2, 2, 6, '2024-03-24', 4.5, 'paid'),
  (44, 10, 3, 5, '2024-03-30', 8.0, 'paid'),
  (45, 7, 1, 1, '2024-04-13', 2.0, 'waived'),
  (46, 5, 3, NULL, '2024-05-12', 5.0, 'paid');

INSERT INTO tracks VALUES
  (1, 37, 'Salt on the Window', 246, 72, 3, '7'),
  (2, 39, 'Ten Past Late', 382, 90, 2, '12'),
  (3, 21, 'Harbour Lights', 223, NULL, 2, '45'),
  (4, 6, 'Iron Supper', 112, 168, 1, '103'),
  (5, 35, 'Slow Orbit', 230, 140, 5, '9'),
  (6, 43, 'Evensong for Buses', 426, NULL, 3, '88'),
  (7, 5, 'Grey Mare', 162, 96, 7, '210'),
  (8, 4, 'La Orilla', 167, 72, 5, '31'),
  (9, 3, 'Paper Boats', 386, 120, 1, '64'),
  (10, 43, 'Don''t Wake the Owl', 104, 72, 4, '118'),
  (11, 44, 'Static Garden', 393, 128, 5, '227'),
  (12, 1, 'Low Door', 349, NULL, 4, '232'),
  (13, 20, 'Hammerfall Road', 408, NULL, 2, '265'),
  (14, 15, 'Été Perdu', 252, 84, 2, '323'),
  (15, 11, 'Anthracite', 166, 168, 2, '229'),
  (16, 42, 'Second Kettle', 314, 96, 2, '308'),
  (17, 36, 'Moth Hour', 369, 140, 3, '430'),
  (18, 5, 'Blue Tin', 231, 84, 2, '251'),
  (19, 8, 'Kneel, Crow', 355, 84, 3, '284'),
  (20, 35, 'Open Water', 288, 84, 3, '338'),
  (21, 10, 'Harbour Lights', 284, 120, 7, '447'),
  (22, 15, 'Winter Pears', 176, 96, 4, '452'),
  (23, 3, 'Long Division', 383, 84, 2, '485'),
  (24, 10, 'Tide Table', 130, 168, 1, '543'),
  (25, 3, 'Marrow', 323, 90, 3, '449'),
  (26, 24, 'Nobody''s Clock', 200, 168, 4, '528'),
  (27, 21, 'Copper Wire', 142, 120, 2, '650'),
  (28, 27, 'Lantern Walk', 367, 120, 1, '471'),
  (29, 13, 'The Quiet Foreman', 384, 84, 1, '504'),
  (30, 3, 'Dust & Diesel', 263, 84, 4, '558'),
  (31, 27, 'Half a Mile', 419, 90, 5, '667'),
  (32, 21, 'Rosewood', 160, 128, 9, '672'),
  (33, 41, 'Cinder Path', 420, 140, 9, '705'),
  (34, 27, 'Spare Key', 186, 120, 4, '763'),
  (35, 10, 'Northbound', 100, 104, 9, '669'),
  (36, 6, 'Ghost of the Ferry', 343, 72, 5, '748'),
  (37, 6, 'Zoetrope', 235, 72, 3, '870'),
  (38, 25, 'Soft Machinery', 312, 96, 2, '691'),
  (39, 43, 'Old Money Blues', 363, 104, 3, '724'),
  (40, 15, 'Under the Viaduct', 183, 90, 7, '778'),
  (41, 22, 'Interlude', 304, 128, 3, '887'),
  (42, 40, 'Interlude', 313, 72, 5, '892'),
  (43, 22, 'Feather Trade', 397, 84, 2, '925'),
  (44, 4, 'Glass Harvest', 160, NULL, 2, '983'),
  (45, 29, 'Red Letter', 240, 110, 2, '889'),
  (46, 7, 'Undertow', 281, 140, 7, '968'),
  (47, 42, 'Small Hours', 200, 120, 3, '1090'),
  (48, 35, 'Vesper', 113, 90, 1, '911'),
  (49, 32, 'Weathercock', 372, 168, 1, '944'),
  (50, 9, 'Yellow Line', 339, NULL, 4, '998');

INSERT INTO instruments VALUES
  (1, 'Concert Grand', 'piano', 1, 38500.0, '2008-05-19'),
  (2, 'Walnut Upright', 'piano', 2, 4200.0, '2011-02-03'),
  (3, 'Oak Kit', 'drums', 1, 2650.5, '2015-07-22'),
  (4, 'Practice Kit', 'drums', 3, 780.0, '2018-10-11'),
  (5, 'Hollow Body', 'guitar', 2, 3100.0, '2009-03-30'),
  (6, 'Black Baritone', 'guitar', 3, 1450.0, '2020-01-16'),
  (7, 'Luthier''s Twelve', 'guitar', NULL, 2650.5, '2017-09-08'),
  (8, 'Tape Echo', 'effects', 3, 990.0, '2013-06-25'),
  (9, 'Modular Wall', 'synthesiser', 3, 6700.0, '2021-11-02'),
  (10, 'Pocket Organ', 'synthesiser', NULL, 350.0, '2019-04-04'),
  (11, 'Ribbon Pair', 'microphone', 1, 2400.0, '2010-08-17'),
  (12, 'Valve Condenser', 'microphone', 4, 3100.0, '2012-12-05'),
  (13, 'Stage Dynamic', 'microphone', 5, 110.0, '2022-02-21'),
  (14, 'Double Bass', 'strings', 1, 5200.0, '2014-05-13'),
  (15, 'Celeste', 'piano', 1, 7300.0, '2016-03-01');

COMMIT;
