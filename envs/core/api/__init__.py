"""The public interface: batches, environments, decisions, errors."""
