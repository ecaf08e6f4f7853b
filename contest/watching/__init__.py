"""Alarms for operators: rules about findings and figures, who is told, and what the desk shows."""
