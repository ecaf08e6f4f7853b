"""What a preset brings, for the page on which a contest is made."""

from django import template

from games.engine import Preset
from tournaments.organising.presets import Draft, of_preset

register = template.Library()


@register.filter
def preset_stages(preset: Preset) -> tuple[Draft, ...]:
    """`{{ preset|preset_stages }}`: the stages that a contest from it begins with."""
    return of_preset(preset.name)
