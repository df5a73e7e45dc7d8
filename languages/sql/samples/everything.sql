-- A comment.
CREATE TABLE people (
    id INT PRIMARY KEY,
    name VARCHAR(20) NOT NULL,
    born TIMESTAMP DEFAULT now(),
    parent INT
);

CREATE INDEX by_name ON people (name);

INSERT INTO people (id, name) VALUES (1, 'Ada'), (2, 'Grace');

UPDATE people SET name = 'Eve', parent = NULL WHERE id = 2 AND NOT (name = 'Ada');

/* Several
   lines. */
WITH old AS (SELECT id, name FROM people WHERE id < 10)
SELECT DISTINCT p.name AS n, count(*) AS total, CASE WHEN p.id > 1 THEN 'x' ELSE 'y' END
FROM people AS p
LEFT JOIN old AS o ON o.id = p.id
WHERE p.id BETWEEN 1 AND 5 AND p.name LIKE 'A%' AND EXISTS (SELECT 1 FROM old)
GROUP BY p.name, p.id
HAVING count(*) > 1
ORDER BY p.name DESC, 2
LIMIT 10;

SELECT id FROM people UNION ALL SELECT CAST(1.5 AS INT);

ALTER TABLE people ADD COLUMN age INT;

DELETE FROM people WHERE id IN (1, 2, 3);

DROP TABLE people;
