"""The stages of a preset, for the page that creates a contest."""

from django import template

from games.options import Preset
from tournaments.organising.presets import Draft, of_preset

register = template.Library()


@register.simple_tag
def preset_stages(preset: Preset) -> tuple[Draft, ...]:
    """`{% preset_stages preset as drafts %}`: the stages that a contest from this preset starts with."""
    return of_preset(preset.name)
