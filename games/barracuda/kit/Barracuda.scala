// A client for the Barracuda contest server: connects, reads requests, sends answers, and connects again.
//
//     scalac RandomPlayer.scala Barracuda.scala && scala RandomPlayer HOST PORT [TOKEN]
//
// Your own file gives Barracuda.run a Barracuda.Player; RandomPlayer.scala shows how.

import java.io.{DataInputStream, IOException}
import java.net.Socket
import java.nio.ByteBuffer
import java.nio.charset.StandardCharsets.US_ASCII

object Barracuda {
  /** Milliseconds between two attempts to connect. The server refuses earlier attempts. */
  private val Wait = 5000L

  /** The game as you may see it. */
  final case class State(
      hand: List[Int],                    // your cards, 1 to 13, from high to low
      card: Option[Int],                  // the card on the table
      handId: Int,                        // 1 for the first hand of a game
      gameId: Int,                        // unique to this game
      yourTricks: Int, theirTricks: Int,  // taken in this hand
      canChallenge: Boolean,              // whether you may offer a challenge now
      inChallenge: Boolean,               // whether one was accepted: this hand decides the game
      totalTricks: Int,                   // played in this hand, ties included
      yourPoints: Int, theirPoints: Int,  // in this game; ten win it
      opponentId: Int,                    // the number of the other team
      playerNumber: Int,                  // 0 if you led the game, else 1
      remaining: Double)                  // seconds left on your clock for this whole game

  /** The result of a move. */
  final case class Outcome(
      kind: String,       // "trick_won", "trick_tied", "hand_done", "game_won", "accepted" or "error"
      by: Option[Int],    // a player number
      card: Option[Int],  // of "trick_won": the last card played
      reason: String,     // of "error"
      me: Int)            // your own player number

  /** What you do when it is your turn to play a card. */
  sealed trait Choice
  final case class Card(number: Int) extends Choice // of the hand
  case object OfferChallenge extends Choice         // where canChallenge holds

  /** What you write. */
  trait Player {
    def chooseCard(state: State): Choice

    /** Whether to accept the challenge that the other player has offered. */
    def answerChallenge(state: State): Boolean

    def hearResult(outcome: Outcome): Unit = ()
  }

  /** Play until the server refuses us. The arguments are those of main. Never returns. */
  def run(player: Player, words: Array[String]): Unit = {
    if (words.length < 2) {
      Console.err.println("usage: HOST PORT [TOKEN]")
      sys.exit(1)
    }
    while (true) {
      val trouble = try talk(player, words) catch { case error: IOException => error.getMessage }
      Thread.sleep(Wait) // at home, the end of a match ends us here
      Console.err.println(s"no connection: $trouble; trying again")
    }
  }

  private def talk(player: Player, words: Array[String]): String = {
    val server = new Socket(words(0), words(1).toInt)
    try {
      server.setTcpNoDelay(true)
      if (words.length > 2) send(server, s"""{"type":"login","token":"${words(2)}"}""")
      val input = new DataInputStream(server.getInputStream)
      while (true) handle(player, server, receive(input))
      ""
    } finally server.close()
  }

  private def handle(player: Player, server: Socket, message: Json): Unit = message("type").text match {
    case "request" =>
      val (number, response) = (message("request_id").whole, respond(player, message))
      send(server, s"""{"type":"move","request_id":$number,"response":{"type":$response}}""")
    case "result" => player.hearResult(outcome(message("result"), message("your_player_num").whole))
    case "greetings_program" => Console.err.println(s"connected, we are team ${message("team_id").whole}")
    case "error" =>
      val (why, host) = (message("message").text, message("seen_host").text)
      Console.err.println(s"the server refuses us: $why (it sees us at $host)")
      sys.exit(1)
    case _ => // unknown to us
  }

  private def respond(player: Player, message: Json): String = {
    val current = state(message("state"), message("remaining").number)
    if (message("request").text == "challenge_offered") {
      if (player.answerChallenge(current)) "\"accept_challenge\"" else "\"reject_challenge\""
    } else player.chooseCard(current) match {
      case Card(number) => s""""play_card","card":$number"""
      case OfferChallenge => "\"offer_challenge\""
    }
  }

  private def state(from: Json, remaining: Double) = State(
    hand = from("hand").items.map(_.whole),
    card = from.maybe("card"),
    handId = from("hand_id").whole,
    gameId = from("game_id").whole,
    yourTricks = from("your_tricks").whole,
    theirTricks = from("their_tricks").whole,
    canChallenge = from("can_challenge").isTrue,
    inChallenge = from("in_challenge").isTrue,
    totalTricks = from("total_tricks").whole,
    yourPoints = from("your_points").whole,
    theirPoints = from("their_points").whole,
    opponentId = from("opponent_id").whole,
    playerNumber = from("player_number").whole,
    remaining = remaining)

  private def outcome(from: Json, me: Int) =
    Outcome(from("type").text, from.maybe("by"), from.maybe("card"), from("reason").text, me)

  private def send(server: Socket, message: String): Unit = {
    val body = message.getBytes(US_ASCII)
    server.getOutputStream.write(ByteBuffer.allocate(4 + body.length).putInt(body.length).put(body).array) // in one piece
  }

  private def receive(input: DataInputStream): Json = {
    val body = new Array[Byte](input.readInt())
    input.readFully(body)
    new Reader(new String(body, US_ASCII)).value()
  }

  /** A JSON value: a Map, a List, a String, a Double, a Boolean, or null for what is missing. */
  private final case class Json(value: Any) {
    def apply(key: String): Json = value match {
      case members: Map[_, _] => members.asInstanceOf[Map[String, Json]].getOrElse(key, Json(null))
      case _ => Json(null)
    }

    def maybe(key: String): Option[Int] = apply(key).value match {
      case number: Double => Some(number.toInt)
      case _ => None
    }

    def number: Double = value match { case found: Double => found; case _ => 0.0 }
    def whole: Int = number.toInt
    def text: String = value match { case found: String => found; case _ => "" }
    def isTrue: Boolean = value == true
    def items: List[Json] = value match { case found: List[_] => found.asInstanceOf[List[Json]]; case _ => Nil }
  }

  private final class Reader(text: String) {
    private var at = 0

    def value(): Json = next() match {
      case '{' =>
        Json(several('}') {
          val key = { next(); quoted() }
          next() // the colon
          at += 1
          key -> value()
        }.toMap)
      case '[' => Json(several(']')(value()))
      case '"' => Json(quoted())
      case _ => word()
    }

    /** The next character that is not a space. */
    private def next(): Char = {
      while (text(at).isWhitespace) at += 1
      text(at)
    }

    private def several[A](end: Char)(element: => A): List[A] = {
      val found = List.newBuilder[A]
      at += 1
      while (next() != end) if (text(at) == ',') at += 1 else found += element
      at += 1
      found.result()
    }

    private def quoted(): String = {
      val found = new StringBuilder
      at += 1
      while (text(at) != '"') {
        if (text(at) == '\\') {
          at += 1
          val which = "bfnrt".indexOf(text(at))
          if (text(at) == 'u') {
            found += Integer.parseInt(text.substring(at + 1, at + 5), 16).toChar
            at += 4
          } else found += (if (which < 0) text(at) else "\b\f\n\r\t"(which))
        } else found += text(at)
        at += 1
      }
      at += 1
      found.toString
    }

    private def word(): Json = {
      val start = at
      while (at < text.length && ",:{}[] \t\r\n".indexOf(text(at)) < 0) at += 1
      text.substring(start, at) match {
        case "null" => Json(null)
        case "true" => Json(true)
        case "false" => Json(false)
        case number => Json(number.toDouble)
      }
    }
  }
}
