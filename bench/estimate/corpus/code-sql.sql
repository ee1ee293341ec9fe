-- Loans of a small toy library: members, toys, loans and fines.
CREATE TABLE member (
    member_id   INTEGER PRIMARY KEY,
    full_name   TEXT        NOT NULL,
    email       TEXT        NOT NULL UNIQUE,
    joined_on   DATE        NOT NULL DEFAULT CURRENT_DATE,
    blocked     BOOLEAN     NOT NULL DEFAULT FALSE
);

CREATE TABLE toy (
    toy_id        BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    title         VARCHAR(120) NOT NULL,
    min_age       SMALLINT CHECK (min_age BETWEEN 0 AND 99),
    replacement   NUMERIC(8, 2) NOT NULL,
    shelf         CHAR(3)
);

CREATE TABLE loan (
    loan_id     BIGSERIAL PRIMARY KEY,
    toy_id      BIGINT  NOT NULL REFERENCES toy (toy_id) ON DELETE RESTRICT,
    member_id   INTEGER NOT NULL REFERENCES member (member_id),
    lent_at     TIMESTAMPTZ NOT NULL DEFAULT now(),
    due_at      TIMESTAMPTZ NOT NULL,
    returned_at TIMESTAMPTZ,
    CONSTRAINT loan_period CHECK (due_at > lent_at)
);

CREATE UNIQUE INDEX one_open_loan_per_toy ON loan (toy_id) WHERE returned_at IS NULL;
CREATE INDEX loan_member_due ON loan (member_id, due_at DESC);

INSERT INTO toy (title, min_age, replacement, shelf) VALUES
    ('Wooden marble run', 3, 49.90, 'A12'),
    ('Magnetic chess', 6, 18.50, 'B03'),
    ('Pirate ship, 84 pieces', 5, 74.00, 'C07');

-- Who is more than a week late, and what do they owe?
WITH overdue AS (
    SELECT l.member_id,
           l.toy_id,
           EXTRACT(DAY FROM now() - l.due_at)::int AS days_late
    FROM loan AS l
    WHERE l.returned_at IS NULL
      AND l.due_at < now() - INTERVAL '7 days'
),
fines AS (
    SELECT o.member_id,
           COUNT(*)                                            AS toys,
           SUM(LEAST(o.days_late * 0.20, t.replacement))       AS amount
    FROM overdue o
    JOIN toy t USING (toy_id)
    GROUP BY o.member_id
)
SELECT m.full_name,
       m.email,
       f.toys,
       ROUND(f.amount, 2) AS amount_due,
       RANK() OVER (ORDER BY f.amount DESC) AS position
FROM fines f
INNER JOIN member m ON m.member_id = f.member_id
WHERE NOT m.blocked
ORDER BY position, m.full_name
LIMIT 25 OFFSET 0;

UPDATE member
SET blocked = TRUE
WHERE member_id IN (
    SELECT member_id FROM loan
    WHERE returned_at IS NULL
    GROUP BY member_id
    HAVING MAX(now() - due_at) > INTERVAL '60 days'
);
