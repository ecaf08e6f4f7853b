/*
 * Shell.scala - an empty contestant for Tricky Eights, for you to fill in. (Your object must have the name of your file.)
 *
 * Team:
 * Strategy in one line:
 *
 * Read the first part of Acm98.scala first: it describes GAME, which holds everything you know, and the helper routines. This
 * shell takes and plays the first card that is allowed, so it follows the rules from the start. Change one thing at a time, and
 * play a few games after every change.
 *
 * Each of the six methods has 4 seconds. Your program stays alive for a whole game (many rounds), so variables of your own in
 * the object keep their values from one call to the next.
 */
import Acm98._

object Shell extends Acm98 {
  /** Called once, before anything else. Nothing is known yet. Prepare here what you need for the whole game. */
  def startGame(): Unit = {}

  /**
   * Called when the ten cards of your hand are dealt and the pool of twelve is face up. You know GAME.me, GAME.round,
   * GAME.dealer, GAME.hand, GAME.pool and the points of the earlier rounds in GAME.total. Reset here what you noted about the
   * last round.
   */
  def startRound(): Unit = {}

  /**
   * Called three times a round. Return the card of GAME.pool that you want to have. The cards that others took are gone;
   * GAME.take tells who took what.
   */
  def takeCard(): Card = GAME.pool.head

  /**
   * Called when all twelve cards of the pool are taken, before the first trick. You now hold 13 cards, and know three cards of
   * each of the others (GAME.take; or GAME.where and GAME.owner, by the card). A good moment to make a plan for the round.
   */
  def endTakes(): Unit = {}

  /**
   * Called 13 times a round. Return a card of your hand. If GAME.trick.count is 0, you lead and may play any card; otherwise you
   * must follow the suit of GAME.trick.card(GAME.trick.leader) if you can. legalCards gives you the choice.
   */
  def playCard(): Card = legalCards.head

  /**
   * Called when the 13 tricks are played. GAME.points has the points of this round, GAME.total those of the game with this round
   * in it, GAME.past all the tricks. Here you might learn something about your opponents.
   */
  def endRound(): Unit = {}

  /** Do not change this. */
  def main(args: Array[String]): Unit = run()
}
