<?php
/*
 * shell.php - an empty contestant for Tricky Eights, for you to fill in.
 *
 * Team:
 * Strategy in one line:
 *
 * Read the first part of acm98.php first: it describes $this->game, which holds everything you know, and the helper methods.
 * This shell takes and plays the first card that is allowed, so it follows the rules from the start. Change one thing at a
 * time, and play a few games after every change.
 *
 * Each of the six methods has 4 seconds. Your program stays alive for a whole game (many rounds), so properties of your own
 * keep their values from one call to the next.
 */
declare(strict_types=1);

require_once __DIR__ . '/acm98.php';

final class Shell extends Acm98\Contestant
{
    /** Called once, before anything else. Nothing is known yet. Prepare here what you need for the whole game. */
    public function startGame(): void
    {
    }

    /**
     * Called when the ten cards of your hand are dealt and the pool of twelve is face up.
     *
     * You know $this->game->me, ->round, ->dealer, ->hand, ->pool and the points of the earlier rounds in ->total. Reset here
     * what you noted about the last round.
     */
    public function startRound(): void
    {
    }

    /**
     * Called three times a round. Return the card of $this->game->pool that you want to have.
     *
     * The cards that others took are gone; $this->game->take tells who took what.
     */
    public function takeCard(): int
    {
        return $this->game->pool[0];
    }

    /**
     * Called when all twelve cards of the pool are taken, before the first trick.
     *
     * You now hold 13 cards, and know three cards of each of the others ($this->game->take; or ->where and ->owner, by the
     * card). A good moment to make a plan for the round.
     */
    public function endTakes(): void
    {
    }

    /**
     * Called 13 times a round. Return a card of your hand.
     *
     * If $this->game->trick->count is 0, you lead and may play any card; otherwise you must follow the suit of
     * $this->game->trick->card[$this->game->trick->leader] if you can. legalCards() gives you the choice.
     */
    public function playCard(): int
    {
        return $this->legalCards()[0];
    }

    /**
     * Called when the 13 tricks are played.
     *
     * $this->game->points has the points of this round, ->total those of the game with this round in it, ->past all the
     * tricks. Here you might learn something about your opponents.
     */
    public function endRound(): void
    {
    }
}

// Do not change this.
(new Shell())->run();
