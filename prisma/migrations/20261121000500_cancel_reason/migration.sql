-- Why someone asked for the end of an execution; the message of its row once it is cancelled. It stands here and not in
-- the engine, whose histories hold no text of people.
ALTER TABLE executions ADD COLUMN cancel_reason text;
