-- How long an execution of the workflow may take; null: as long as it likes.
ALTER TABLE workflows ADD COLUMN timeout_ms bigint CHECK (timeout_ms BETWEEN 1 AND 31536000000);
